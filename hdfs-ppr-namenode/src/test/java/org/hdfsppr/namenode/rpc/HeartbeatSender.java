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
package org.hdfsppr.namenode.rpc;

import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairManagerClientTranslator;
import org.hdfsppr.plan.NodeRef;

/** Sends heartbeats to a server as a DataNode does. */
@InterfaceAudience.Private
public final class HeartbeatSender {
  /** The UUID of the DataNode that sends them */
  public static final String NODE = "uuid-of-a-node";
  private static final int TIMEOUT_MS = 20_000;

  private HeartbeatSender() {
  }

  static HeartbeatRequest of(String uuid) {
    return new HeartbeatRequest(HeartbeatRequest.PROTOCOL_VERSION, "0.1",
        new NodeRef(uuid, "127.0.0.1", "localhost", 9866, 9877, ""), 0,
        new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0), Collections.emptyList(),
        Collections.emptyList());
  }

  /** Sends one heartbeat. */
  static HeartbeatResponse send(RepairManagerServer server, Configuration conf,
      UserGroupInformation user, String uuid) throws IOException {
    RepairManagerClientTranslator client =
        RepairManagerClientTranslator.of(server.address(), user, conf, TIMEOUT_MS);
    try {
      return client.heartbeat(of(uuid));
    } finally {
      client.close();
    }
  }

  /** Waits for orders. */
  static boolean await(RepairManagerServer server, Configuration conf, UserGroupInformation user,
      String uuid, int waitMs) throws IOException {
    RepairManagerClientTranslator client =
        RepairManagerClientTranslator.of(server.address(), user, conf, TIMEOUT_MS);
    try {
      return client.awaitOrders(uuid, waitMs);
    } finally {
      client.close();
    }
  }
}
