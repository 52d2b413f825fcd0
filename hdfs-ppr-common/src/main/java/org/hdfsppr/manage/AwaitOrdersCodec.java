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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersResponseProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.MalformedRequestException;

/** Makes and checks the messages of DataNodes that wait for orders. */
@InterfaceAudience.Private
final class AwaitOrdersCodec {
  private AwaitOrdersCodec() {
  }

  static AwaitOrdersRequestProto request(String uuid, int waitMs) {
    return AwaitOrdersRequestProto.newBuilder().setUuid(uuid).setWaitMs(waitMs).build();
  }

  /** @throws MalformedRequestException naming the field that is wrong */
  static void checkRequest(AwaitOrdersRequestProto request) throws MalformedRequestException {
    try {
      Door.name("uuid", request.getUuid());
      Door.within("wait_ms", request.getWaitMs(), 1, RepairManagerProtocol.WAIT_MS_MAX);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The call that waits for orders contradicts itself: "
          + e.getMessage(), e);
    }
  }

  static AwaitOrdersResponseProto response(boolean hasOrders) {
    return AwaitOrdersResponseProto.newBuilder().setHasOrders(hasOrders).build();
  }
}
