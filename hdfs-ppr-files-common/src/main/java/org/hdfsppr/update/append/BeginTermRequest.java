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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;

/**
 * Asks the leader of a unit's log to begin the ticket's term at all holders. When the leader
 * answers, all holders have the whole history of the unit on their disks. From then on, no update
 * of an earlier term is acknowledged. A view does not begin the first term of a unit that was never
 * written. This request does, because a commit has to know that no client with an older ticket can
 * still write there. Immutable.
 */
@InterfaceAudience.Private
public final class BeginTermRequest extends UpdateRequest {
  /**
   * @param ticket a ticket that names the receiving DataNode as the leader, with a token that has
   *     COPY
   */
  public BeginTermRequest(SignedTicket ticket) {
    super(ticket, Payload.NONE);
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    proto.getBeginTermBuilder();
  }
}
