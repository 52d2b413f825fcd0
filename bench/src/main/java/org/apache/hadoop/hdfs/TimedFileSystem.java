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
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.bench.clock.ReadClock;
import org.hdfsppr.bench.clock.TimedPeer;

/**
 * Hadoop's own client, whose waiting for bytes of DataNodes is timed by {@link
 * ReadClock#OF_PROCESS}. The method that makes clients is package-private, so this class is in
 * Hadoop's package.
 */
@InterfaceAudience.Private
public class TimedFileSystem extends DistributedFileSystem {
  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    this.dfs = new TimedClient(uri, conf, statistics);
  }

  /** A client with timed connections. */
  private static final class TimedClient extends DFSClient {
    TimedClient(URI uri, Configuration conf, FileSystem.Statistics statistics)
        throws IOException {
      super(uri, conf, statistics);
    }

    @Override
    public Peer newConnectedPeer(InetSocketAddress address, Token<BlockTokenIdentifier> token,
        DatanodeID node) throws IOException {
      return new TimedPeer(super.newConnectedPeer(address, token, node), ReadClock.OF_PROCESS);
    }
  }
}
