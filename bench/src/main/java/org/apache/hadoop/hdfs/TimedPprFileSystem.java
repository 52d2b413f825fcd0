/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.metrics.ClientMetrics;
import org.hdfsppr.bench.clock.ReadClock;
import org.hdfsppr.bench.clock.TimedPeer;

/**
 * The project's client, whose waiting for bytes of DataNodes is timed by {@link
 * ReadClock#OF_PROCESS}, over the connections of stock's protocol and over those to helpers. The
 * client itself counts for how long it computes.
 */
@InterfaceAudience.Private
public class TimedPprFileSystem extends PprFileSystem {
  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    this.dfs = new TimedClient(uri, conf, statistics);
    ReadClock.OF_PROCESS.countsItself(ClientMetrics.ofProcess()::computeNanos);
  }

  /** A client with timed connections. */
  private static final class TimedClient extends PprDFSClient {
    TimedClient(URI uri, Configuration conf, FileSystem.Statistics statistics)
        throws IOException {
      super(uri, conf, statistics);
    }

    @Override
    public Peer newConnectedPeer(InetSocketAddress address, Token<BlockTokenIdentifier> token,
        DatanodeID node) throws IOException {
      return new TimedPeer(super.newConnectedPeer(address, token, node), ReadClock.OF_PROCESS);
    }

    /**
     * Returns what secures connections to helpers, and times them. Those of stock's protocol do not
     * ask here. The constructor of the superclass calls this method.
     */
    @Override
    public SaslDataTransferClient getSaslDataTransferClient() {
      return new TimedSasl(getConfiguration());
    }
  }

  /** Secures connections as Hadoop's client does, and times them. */
  private static final class TimedSasl extends SaslDataTransferClient {
    TimedSasl(Configuration conf) {
      super(conf, DataTransferSaslUtil.getSaslPropertiesResolver(conf),
          TrustedChannelResolver.getInstance(conf));
    }

    @Override
    public Peer peerSend(Peer peer, DataEncryptionKeyFactory keys,
        Token<BlockTokenIdentifier> token, DatanodeID node) throws IOException {
      return new TimedPeer(super.peerSend(peer, keys, token, node), ReadClock.OF_PROCESS);
    }
  }
}
