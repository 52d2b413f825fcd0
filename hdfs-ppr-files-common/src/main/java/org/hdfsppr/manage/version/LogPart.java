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
package org.hdfsppr.manage.version;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchLogProto;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * The updates that a commit puts into a data unit: a range of the unit's history, and where its log
 * is. The command for the data unit may ask for the {@link org.hdfsppr.digest.LinearDigest} of the
 * unit's change. Commands for parity units then have this digest: a DataNode that calculates the
 * change from its own log compares it with this. Immutable.
 */
@InterfaceAudience.Private
public final class LogPart {
  /** A ticket, which names the unit and the holders of its log */
  public final UpdateTicket ticket;
  /** The number of the first update */
  public final long first;
  /** The number of the last update */
  public final long last;
  /** The seed of the digest; empty if this neither has a digest nor asks for one */
  public final OptionalLong digestSeed;
  /**
   * The digest of the unit's change, which is its old bytes XOR its new bytes; empty if it is not
   * known
   */
  public final OptionalInt digest;

  /**
   * @param ticket a ticket of the unit, of a term in which all holders have these updates
   * @param first the number of the first update
   * @param last the number of the last update, not before the first one
   * @throws IllegalArgumentException if {@code first} is less than 1, or {@code last} less than
   *     {@code first}
   */
  public LogPart(UpdateTicket ticket, long first, long last) {
    this(ticket, first, last, OptionalLong.empty(), OptionalInt.empty());
  }

  private LogPart(UpdateTicket ticket, long first, long last, OptionalLong digestSeed,
      OptionalInt digest) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("updates " + first + " to " + last);
    }
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    this.first = first;
    this.last = last;
    this.digestSeed = digestSeed;
    this.digest = digest;
  }

  /**
   * @param seed the seed of the digest
   * @return the same updates, with a request for the digest of the change
   */
  public LogPart withDigestSeed(long seed) {
    return new LogPart(ticket, first, last, OptionalLong.of(seed), OptionalInt.empty());
  }

  /**
   * @param seed the seed of the digest
   * @param ofChange the digest of the change, as the DataNode with the unit has computed it
   * @return the same updates, with this digest of the change
   */
  public LogPart withDigest(long seed, int ofChange) {
    return new LogPart(ticket, first, last, OptionalLong.of(seed), OptionalInt.of(ofChange));
  }

  PatchLogProto toProto() {
    PatchLogProto.Builder proto = PatchLogProto.newBuilder()
        .setTicket(ticket.toBytes())
        .setFirst(first)
        .setLast(last);
    digestSeed.ifPresent(proto::setDigestSeed);
    digest.ifPresent(proto::setDigest);
    return proto.build();
  }

  /** @throws IllegalArgumentException whose message says what is wrong */
  static LogPart parse(PatchLogProto proto) {
    LogPart log = new LogPart(UpdateTicket.parse(proto.getTicket()), proto.getFirst(),
        proto.getLast());
    if (!proto.hasDigestSeed()) {
      return log;
    }
    return proto.hasDigest() ? log.withDigest(proto.getDigestSeed(), proto.getDigest())
        : log.withDigestSeed(proto.getDigestSeed());
  }

  @Override
  public String toString() {
    return "updates " + first + " to " + last + " of " + ticket;
  }
}
