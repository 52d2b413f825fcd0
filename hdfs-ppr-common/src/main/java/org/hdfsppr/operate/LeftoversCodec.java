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

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.hdfsppr.operate.proto.ClientProtos.LeftoverCountProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoverProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversResponseProto;
import org.hdfsppr.wire.MalformedRequestException;

/** {@link Leftovers} on the wire. Stateless. */
@InterfaceAudience.Private
final class LeftoversCodec {
  private LeftoversCodec() {
  }

  static LeftoversResponseProto toProto(Leftovers left) {
    LeftoversResponseProto.Builder proto = LeftoversResponseProto.newBuilder()
        .setCleared(left.cleared).setUnfinished(left.unfinished);
    for (Kind kind : Kind.values()) {
      for (State state : State.values()) {
        if (left.count(kind, state) > 0) {
          proto.addCounts(LeftoverCountProto.newBuilder().setKind(word(kind))
              .setState(word(state)).setCount(left.count(kind, state)));
        }
      }
    }
    for (Item item : left.named) {
      proto.addSome(LeftoverProto.newBuilder().setKind(word(item.kind))
          .setState(word(item.state)).setPath(item.path).setFile(item.file)
          .setWhy(item.why).setUntilMs(item.untilMs).addAllSnapshots(item.snapshots));
    }
    return proto.build();
  }

  static Leftovers parse(LeftoversResponseProto proto) throws MalformedRequestException {
    Leftovers.Builder left = new Leftovers.Builder().cleared(proto.getCleared())
        .unfinished(proto.getUnfinished());
    for (LeftoverCountProto one : proto.getCountsList()) {
      left.count(of(Kind.class, one.getKind()), of(State.class, one.getState()), one.getCount());
    }
    for (LeftoverProto one : proto.getSomeList()) {
      left.name(new Item(of(Kind.class, one.getKind()), of(State.class, one.getState()),
          one.getPath(), one.getFile(), one.getWhy(), one.getUntilMs(), one.getSnapshotsList()));
    }
    return left.build();
  }

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E of(Class<E> type, String word)
      throws MalformedRequestException {
    for (E one : type.getEnumConstants()) {
      if (word(one).equals(word)) {
        return one;
      }
    }
    throw new MalformedRequestException("This command is older than the NameNode, and does not"
        + " know the word of an answer about what is left");
  }
}
