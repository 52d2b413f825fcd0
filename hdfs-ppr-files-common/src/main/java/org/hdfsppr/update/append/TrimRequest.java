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
 * Asks a holder to drop all updates of a file up to an epoch from its log, because they are in the
 * file's version, or because the file is gone. Before it made the version, the caller has begun a
 * term with a later epoch at all units of the file. Without that, a leader could still acknowledge
 * an update of the epoch that is not in the version, and this request would drop it. Immutable.
 */
@InterfaceAudience.Private
public final class TrimRequest extends UpdateRequest {
  /**
   * The epoch that says that the file is gone. The log then drops everything that it has of the
   * file.
   */
  public static final long ALL = Long.MAX_VALUE;

  /** The number of the last commit that is in the version; {@link #ALL} if the file is gone */
  public final long epoch;

  /**
   * @param ticket a ticket of any unit of the file, with a token that has COPY
   * @param epoch the number of the last commit that is in the version, from 1; {@link #ALL} if the
   *     file is gone
   * @throws IllegalArgumentException if the epoch is less than 1
   */
  public TrimRequest(SignedTicket ticket, long epoch) {
    super(ticket, Payload.NONE);
    if (epoch < 1) {
      throw new IllegalArgumentException("a trim to epoch " + epoch);
    }
    this.epoch = epoch;
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    proto.getTrimBuilder().setEpoch(epoch);
  }
}
