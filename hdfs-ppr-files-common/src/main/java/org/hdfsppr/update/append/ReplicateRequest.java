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

/**
 * A leader's request that another holder of the log adds updates to its log, and begins the
 * leader's term first if it has not done so. Immutable.
 */
@InterfaceAudience.Private
public final class ReplicateRequest extends UpdateRequest {
  /** What the holder needs to begin the term; null if it has begun the term already. */
  private final TermBegin begin;
  /**
   * The updates, with consecutive numbers; the data behind the request are theirs, in the same
   * order
   */
  public final List<NumberedUpdate> records;
  /** Whether the holder answers only when it has forced the updates to its disk */
  public final boolean durable;
  /** What the updates have overwritten; the old bytes follow the data of the updates */
  public final OldBytes old;

  /**
   * @param ticket the ticket, with a token that has COPY
   * @param begin what the holder needs to begin the term; null if it has begun the term already
   * @param records the updates, with consecutive numbers
   * @param durable whether the holder answers only when it has forced the updates to its disk
   * @param payload the data of all updates, in the same order
   * @throws IllegalArgumentException if the updates, their data and the begin of the term
   *     contradict each other
   */
  public ReplicateRequest(SignedTicket ticket, TermBegin begin, List<NumberedUpdate> records,
      boolean durable, Payload payload) {
    this(ticket, begin, records, durable, payload, OldBytes.NONE);
  }

  /**
   * Makes a request that also has the bytes that the updates have overwritten.
   *
   * @param payload the data of all updates, in the same order, and then the old bytes
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

  /** @return what the holder needs to begin the term; empty if it has begun the term already */
  public Optional<TermBegin> begin() {
    return Optional.ofNullable(begin);
  }

  /** @return whether the data of at least one update are a {@link NumberedUpdate delta} */
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
