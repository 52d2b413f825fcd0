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
 * The updates of a file up to an epoch are in the file's version, or the file is gone. The caller
 * makes sure of that: a term with a later epoch has begun at all units of the file before it
 * collected the updates. Otherwise a leader could still acknowledge an update of the epoch, which
 * this request would drop. Immutable.
 */
@InterfaceAudience.Private
public final class TrimRequest extends UpdateRequest {
  /** The epoch that says that the file is gone: the log drops all that it has of it. */
  public static final long ALL = Long.MAX_VALUE;

  /** The last commit that is in the version */
  public final long epoch;

  /**
   * @param ticket a ticket of any unit of the file, with a token that has COPY
   * @param epoch the last commit that is in the version, from 1; {@link #ALL} if the file is gone
   * @throws IllegalArgumentException if it is less
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
