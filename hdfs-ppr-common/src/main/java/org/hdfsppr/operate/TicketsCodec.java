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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.FailedTermProto;
import org.hdfsppr.operate.proto.ClientProtos.FileIdentityProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.UnitTicketProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTickets;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestBounds;

/** Converts requests for tickets and the answers, and checks what comes in. */
@InterfaceAudience.Private
final class TicketsCodec {
  /** The longest time for which a unit may have no log, ms; a writer waits for it. */
  private static final int VALID_MS_MAX = 60_000;
  /** The most inodes that an answer names; it needs two. */
  private static final int INODES_MAX = 16;

  private TicketsCodec() {
  }

  static GroupTicketsRequestProto toProto(TicketRequest request) {
    GroupTicketsRequestProto.Builder builder = GroupTicketsRequestProto.newBuilder()
        .setPath(request.path)
        .setPoolId(request.group.poolId)
        .setBlockGroup(request.group.groupId)
        .setGenerationStamp(request.group.generationStamp)
        .setWrite(request.isWrite);
    request.failed.forEach((unit, term) ->
        builder.addFailed(FailedTermProto.newBuilder().setUnit(unit).setTerm(term)));
    return builder.build();
  }

  static TicketRequest parse(GroupTicketsRequestProto proto) throws MalformedRequestException {
    try {
      Door.within("failed", proto.getFailedCount(), 0, RequestBounds.UNITS_MAX);
      Map<Integer, Long> failed = new HashMap<>();
      for (FailedTermProto one : proto.getFailedList()) {
        failed.put(unit(one.getUnit()), Door.within("term", one.getTerm(), 1, Long.MAX_VALUE));
      }
      return new TicketRequest(proto.getPath(), new GroupId(
          Door.name("pool_id", proto.getPoolId()), proto.getBlockGroup(),
          proto.getGenerationStamp()), proto.getWrite(), failed);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The request for tickets is refused: "
          + e.getMessage(), e);
    }
  }

  private static int unit(int unit) {
    return Door.within("unit", unit, 0, RequestBounds.UNITS_MAX - 1);
  }

  static GroupTicketsResponseProto toProto(List<UnitGrant> grants) {
    GroupTicketsResponseProto.Builder builder = GroupTicketsResponseProto.newBuilder();
    for (UnitGrant grant : grants) {
      UnitTicketProto.Builder one = UnitTicketProto.newBuilder().setUnit(grant.unit);
      grant.refusal().ifPresent(one::setRefusal);
      grant.later().ifPresent(one::setLater);
      if (grant.validMs > 0) {
        one.setValidMs(grant.validMs);
      }
      grant.ticket().ifPresent(ticket -> one.setTicket(SignedTickets.bytes(ticket))
          .setToken(Door.toProto(ticket.token)));
      if (!grant.file.isUnknown()) {
        one.setFile(toProto(grant.file));
      }
      builder.addUnits(one);
    }
    return builder.build();
  }

  private static FileIdentityProto toProto(FileIdentity file) {
    FileIdentityProto.Builder builder =
        FileIdentityProto.newBuilder().addAllInodes(file.inodes);
    if (file.uuid != null) {
      builder.setFileHigh(file.uuid.getMostSignificantBits())
          .setFileLow(file.uuid.getLeastSignificantBits());
    }
    return builder.build();
  }

  private static FileIdentity parse(FileIdentityProto proto) {
    Door.within("inodes", proto.getInodesCount(), 0, INODES_MAX);
    return FileIdentity.of(proto.hasFileHigh() && proto.hasFileLow()
        ? new UUID(proto.getFileHigh(), proto.getFileLow()) : null,
        new TreeSet<>(proto.getInodesList()));
  }

  static List<UnitGrant> parse(GroupTicketsResponseProto proto) throws MalformedRequestException {
    try {
      Door.within("units", proto.getUnitsCount(), 0, RequestBounds.UNITS_MAX);
      List<UnitGrant> grants = new ArrayList<>();
      for (UnitTicketProto one : proto.getUnitsList()) {
        int unit = unit(one.getUnit());
        UnitGrant grant = one.hasTicket()
            ? UnitGrant.of(unit, SignedTickets.parse(one.getTicket(),
                Door.token(one.getToken())))
            : one.hasRefusal() ? UnitGrant.refused(unit, Door.text("refusal", one.getRefusal()))
                : one.hasLater() ? UnitGrant.later(unit, Door.text("later", one.getLater()))
                    : UnitGrant.noLog(unit, Door.within("valid_ms", one.getValidMs(), 0,
                        VALID_MS_MAX));
        grants.add(one.hasFile() ? grant.of(parse(one.getFile())) : grant);
      }
      return grants;
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The NameNode's tickets cannot be used: "
          + e.getMessage(), e);
    }
  }
}
