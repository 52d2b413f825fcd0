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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.CallerAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.files.FilesProtocols;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.PprClientTranslator;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.service.Services;

/** Conversions at a NameNode of a test, with an engine that a test controls. */
final class CallServer implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;

  final ScriptedEngine engine = new ScriptedEngine();
  private final FSNamesystem namesystem;
  private final Configuration conf;
  private final ConversionJobs conversions;
  private final RepairManagerServer server;
  volatile String whyNoJobs;
  volatile UnseenReads unseenReads;
  /** Whether the plugin knows that the NameNode is active; it does not in safe mode. */
  volatile boolean knowsActive = true;

  CallServer(NameNode namenode) throws IOException {
    namesystem = namenode.getNamesystem();
    conf = new Configuration(namenode.getConf());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:0");
    ConvertGate gate = new ConvertGate() {
      @Override
      public boolean isActive() {
        return knowsActive && namenode.isActiveState();
      }

      @Override
      public long term() {
        return 1;
      }

      @Override
      public Optional<String> whyNoJobs() {
        return Optional.ofNullable(whyNoJobs);
      }

      @Override
      public Optional<String> whyNot() {
        return Optional.empty();
      }

      @Override
      public Optional<UnseenReads> unseenReads() {
        return Optional.ofNullable(unseenReads);
      }
    };
    NameNodeFiles files = new NameNodeFiles(namesystem, namenode::getRpcServer);
    conversions = new ConversionJobs(ConvertSettings.of(conf), new ConvertDoors(gate,
        new NameNodeJobFolder(namenode::getRpcServer, new RecordAccess(namesystem, conf)),
        files, engine),
        policy -> ReedSolomon.hadoop(policy.dataUnits, policy.parityUnits),
        (ConversionCounts counts) -> { }, command -> new Thread(command).start(),
        Time::monotonicNow, Clock.systemUTC());
    conversions.start(new Services(System::nanoTime));
    ClientCalls calls = new ClientCalls(8);
    calls.open(new ConversionRpcHandler(conversions, gate, engine, files));
    server = RepairManagerServer.start(conf, CallerAccess.secrets(namesystem),
        (uuid, address) -> false, (caller, request) -> {
          throw new IOException("no heartbeats");
        }, List.of(FilesProtocols.users(calls)));
  }

  InetSocketAddress address() {
    return server.address();
  }

  PprClientTranslator client(UserGroupInformation user) throws IOException {
    return PprClientTranslator.of(server.address(), user, conf, TIMEOUT_MS);
  }

  @Override
  public void close() {
    server.close();
    conversions.close();
  }
}
