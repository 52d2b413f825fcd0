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

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.proto.UpdateProtos.BeginProto;
import org.hdfsppr.update.append.proto.UpdateProtos.ReplicateProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;

/** A leader lets another holder follow. Immutable. */
@InterfaceAudience.Private
public final class ReplicateRequest extends UpdateRequest {
  /** The begin of the term, or null. */
  private final TermBegin begin;
  /** The updates, whose data follow each other */
  public final List<NumberedUpdate> records;
  /** Whether the holder has the updates on its disk before the answer */
  public final boolean durable;
  /** What the updates have overwritten; its data follow those of the updates */
  public final OldBytes old;

  /**
   * @param ticket the ticket, with a token that has COPY
   * @param begin the begin of the term; null if it has begun
   * @param records the updates, whose data follow each other; consecutive
   * @param durable whether the holder has them on its disk before the answer
   * @param payload all data
   * @throws IllegalArgumentException if this contradicts itself
   */
  public ReplicateRequest(SignedTicket ticket, TermBegin begin, List<NumberedUpdate> records,
      boolean durable, Payload payload) {
    this(ticket, begin, records, durable, payload, OldBytes.NONE);
  }

  /**
   * As above.
   *
   * @param payload all data, with the old bytes behind them
   * @param old what the updates have overwritten
   */
  public ReplicateRequest(SignedTicket ticket, TermBegin begin, List<NumberedUpdate> records,
      boolean durable, Payload payload, OldBytes old) {
    super(ticket, payload);
    RecordList.check(records, ticket.ticket.block.length, payload, old.bytes);
    old.check(records);
    if (begin != null && begin.previousTerm >= ticket.ticket.term) {
      throw new IllegalArgumentException("term " + ticket.ticket.term + " begins after "
          + begin.previousTerm);
    }
    this.begin = begin;
    this.records = List.copyOf(records);
    this.durable = durable;
    this.old = old;
  }

  /** @return the begin of the term; empty if it has begun */
  public Optional<TermBegin> begin() {
    return Optional.ofNullable(begin);
  }

  /** @return whether the data of an update are a delta */
  public boolean hasDeltas() {
    return records.stream().anyMatch(update -> update.isDelta);
  }

  static ReplicateRequest parse(SignedTicket ticket, ReplicateProto proto, Payload payload) {
    BeginProto begin = proto.getBegin();
    return new ReplicateRequest(ticket, proto.hasBegin()
        ? new TermBegin(begin.getPreviousTerm(), begin.getFirst(), begin.getLast()) : null,
        RecordList.convert(proto.getRecordsList()), proto.getDurable(), payload,
        OldBytes.of(proto, ticket.ticket.block));
  }

  @Override
  void into(UpdateRequestProto.Builder proto) {
    ReplicateProto.Builder replicate =
        hasDeltas() ? proto.getReplicateDeltasBuilder() : proto.getReplicateBuilder();
    replicate.setDurable(durable).addAllRecords(RecordList.toProtos(records));
    begin().ifPresent(it -> replicate.setBegin(BeginProto.newBuilder()
        .setPreviousTerm(it.previousTerm)
        .setFirst(it.first)
        .setLast(it.last)));
    old.into(replicate);
  }
}
