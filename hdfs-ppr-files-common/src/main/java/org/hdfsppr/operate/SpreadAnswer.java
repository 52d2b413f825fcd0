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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.SpreadMoveProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * The NameNode's answer to {@link CoreProtocol#planSpread}: counts of some columns, and which of
 * their blocks to move. Immutable.
 */
@InterfaceAudience.Private
public final class SpreadAnswer {
  /** The blocks that are to move */
  public final List<SpreadMove> moves;
  /** How many columns were looked at */
  public final long columns;
  /** How many of these columns have two or more blocks on one DataNode */
  public final long together;
  /** How many of the latter columns no move helps for now, for each reason */
  public final Map<String, Long> staying;
  private final SpreadPlace next;

  /**
   * @param moves the blocks that are to move
   * @param columns how many columns were looked at
   * @param together how many of these columns have two or more blocks on one DataNode
   * @param staying how many of the latter columns no move helps for now, for each reason
   * @param next the column with which the next call begins; null if the NameNode has looked at all
   *     columns
   */
  public SpreadAnswer(List<SpreadMove> moves, long columns, long together,
      Map<String, Long> staying, SpreadPlace next) {
    this.moves = Collections.unmodifiableList(new ArrayList<>(moves));
    this.columns = columns;
    this.together = together;
    this.staying = Collections.unmodifiableMap(new TreeMap<>(staying));
    this.next = next;
  }

  /**
   * Parses an answer that this node has received.
   *
   * @param from the column with which the call began
   * @throws MalformedRequestException whose message says what is wrong
   */
  static SpreadAnswer parse(PlanSpreadResponseProto proto, SpreadPlace from) throws IOException {
    List<SpreadMove> moves = new ArrayList<>();
    for (SpreadMoveProto move : proto.getMovesList()) {
      moves.add(SpreadMove.parse(move));
    }
    SpreadPlace next = proto.hasNextCoreGroup()
        ? SpreadPlace.parse(proto.getNextCoreGroup(), proto.getNextIndex()) : null;
    if (next != null && !next.isBehind(from)) {
      // Without this check, a caller could ask for the same columns again and again.
      throw new MalformedRequestException("The answer is refused: the next columns are at " + next
          + ", which is not behind " + from);
    }
    return new SpreadAnswer(moves, proto.getColumns(), proto.getTogether(),
        ReasonCounts.parse(proto.getStayingList()), next);
  }

  PlanSpreadResponseProto toProto() {
    PlanSpreadResponseProto.Builder proto = PlanSpreadResponseProto.newBuilder()
        .setColumns(columns).setTogether(together)
        .addAllStaying(ReasonCounts.toProtos(staying));
    moves.forEach(move -> proto.addMoves(move.toProto()));
    next().ifPresent(place ->
        proto.setNextCoreGroup(place.coreGroup).setNextIndex(place.index));
    return proto.build();
  }

  /**
   * @return the column with which the next call begins; empty if the NameNode has looked at all
   *     columns
   */
  public Optional<SpreadPlace> next() {
    return Optional.ofNullable(next);
  }
}
