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
package org.hdfsppr.operate;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.CommitStatus.State;
import org.hdfsppr.operate.proto.ClientProtos.CommitStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.PendingUpdatesProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;

/** Converts what is said about commits into messages and back. */
@InterfaceAudience.Private
final class CommitCodec {
  private CommitCodec() {
  }

  static CommitStatusProto toProto(CommitStatus status) {
    return CommitStatusProto.newBuilder()
        .setId(status.id)
        .setPath(status.path)
        .setState(status.state.name())
        .setCommit(status.commit)
        .setUpdates(status.updates)
        .setBytes(status.bytes)
        .setGroups(status.groups)
        .setMessage(PeerText.oneLine(status.message))
        .build();
  }

  static CommitStatus parse(CommitStatusProto proto) throws MalformedRequestException {
    State state;
    try {
      state = State.valueOf(proto.getState());
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The state of a commit is unknown here: "
          + PeerText.oneLine(proto.getState()), e);
    }
    return new CommitStatus(proto.getId(), proto.getPath(), state, proto.getCommit(),
        proto.getUpdates(), proto.getBytes(), proto.getGroups(), proto.getMessage());
  }

  static PendingUpdatesProto toProto(WaitingUpdates pending) {
    return PendingUpdatesProto.newBuilder()
        .setPath(pending.path)
        .setCommitted(pending.committed)
        .setNext(pending.next)
        .setTrimmed(pending.trimmed)
        .setUnits(pending.units)
        .setUpdates(pending.updates)
        .setLoggedBytes(pending.loggedBytes)
        .setChangedBytes(pending.changedBytes)
        .setStripes(pending.stripes)
        .setSilentUnits(pending.silentUnits)
        .build();
  }

  static WaitingUpdates parse(PendingUpdatesProto proto) {
    WaitingUpdates.Numbers numbers = new WaitingUpdates.Numbers();
    numbers.units = proto.getUnits();
    numbers.silentUnits = proto.getSilentUnits();
    numbers.updates = proto.getUpdates();
    numbers.loggedBytes = proto.getLoggedBytes();
    numbers.changedBytes = proto.getChangedBytes();
    numbers.stripes = proto.getStripes();
    return new WaitingUpdates(proto.getPath(), proto.getCommitted(), proto.getNext(),
        proto.getTrimmed(), numbers);
  }
}
