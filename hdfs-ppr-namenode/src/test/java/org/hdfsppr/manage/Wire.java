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
package org.hdfsppr.manage;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;

/** Passes heartbeats as bytes, through the codecs of both sides, but without a network. */
@InterfaceAudience.Private
public final class Wire {
  /** Answers heartbeats. */
  public interface Manager {
    HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException;
  }

  private final RepairManagerServerTranslator server;
  private final boolean toOldNode;

  /**
   * @param manager answers the heartbeats
   * @param toOldNode whether the sender is too old to know reports about itself
   */
  public Wire(Manager manager, boolean toOldNode) {
    this.server = new RepairManagerServerTranslator(new RepairManagerServerTranslator.Manager() {
      @Override
      public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
        return manager.heartbeat(request);
      }

      @Override
      public void awaitOrders(String uuid, int waitMs) {
        throw new IllegalStateException("no node waits here");
      }
    });
    this.toOldNode = toOldNode;
  }

  /** Passes a heartbeat and its answer. */
  public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
    HeartbeatRequestProto.Builder message =
        HeartbeatRequestProto.parseFrom(request.toProto().toByteArray())
            .toBuilder();
    if (toOldNode) {
      message.clearSelfReport().clearOldReads().getLoadBuilder().clearRepairRates();
    }
    try {
      HeartbeatResponseProto answer = server.heartbeat(null, message.build());
      return HeartbeatResponse.parse(HeartbeatResponseProto.parseFrom(answer.toByteArray()));
    } catch (ServiceException e) {
      throw new IOException(e);
    }
  }
}
