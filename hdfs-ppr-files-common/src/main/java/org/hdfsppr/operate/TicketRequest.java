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

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.FailedTermProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsRequestProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/** A client's request for the tickets of all data units of a block group. Immutable. */
@InterfaceAudience.Private
public final class TicketRequest {
  /** The file */
  public final String path;
  /** The block group, as the caller knows it */
  public final GroupId group;
  /** Whether the caller writes; it reads otherwise */
  public final boolean isWrite;
  private final Map<Integer, Long> failed;

  /**
   * @param path the file, an absolute path
   * @param group a block group of the file, as the caller knows it
   * @param isWrite whether the caller writes; it reads otherwise
   * @param failed for the index of each unit whose term is over for the caller, that term; the
   *     NameNode then begins a later term
   */
  public TicketRequest(String path, GroupId group, boolean isWrite, Map<Integer, Long> failed) {
    this.path = Objects.requireNonNull(path, "path");
    this.group = Objects.requireNonNull(group, "group");
    this.isWrite = isWrite;
    this.failed = Map.copyOf(failed);
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   */
  static TicketRequest parse(GroupTicketsRequestProto proto) throws MalformedRequestException {
    try {
      WireRules.within("failed", proto.getFailedCount(), 0, RequestBounds.UNITS_MAX);
      Map<Integer, Long> failed = new HashMap<>();
      for (FailedTermProto one : proto.getFailedList()) {
        failed.put(UnitGrant.checkedUnit(one.getUnit()),
            WireRules.within("term", one.getTerm(), 1, Long.MAX_VALUE));
      }
      return new TicketRequest(proto.getPath(), new GroupId(
          WireRules.name("pool_id", proto.getPoolId()), proto.getBlockGroup(),
          proto.getGenerationStamp()), proto.getWrite(), failed);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request for tickets is refused: "
          + e.getMessage(), e);
    }
  }

  GroupTicketsRequestProto toProto() {
    GroupTicketsRequestProto.Builder proto = GroupTicketsRequestProto.newBuilder()
        .setPath(path)
        .setPoolId(group.poolId)
        .setBlockGroup(group.groupId)
        .setGenerationStamp(group.generationStamp)
        .setWrite(isWrite);
    failed.forEach((unit, term) ->
        proto.addFailed(FailedTermProto.newBuilder().setUnit(unit).setTerm(term)));
    return proto.build();
  }

  /**
   * @param unit a unit
   * @return the term of the unit that is over for the caller; 0 if there is none
   */
  public long failed(int unit) {
    return failed.getOrDefault(unit, 0L);
  }
}
