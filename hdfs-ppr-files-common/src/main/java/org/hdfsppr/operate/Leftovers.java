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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.LeftoverCountProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoverProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversResponseProto;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * What the plugin has left below /.hdfs-ppr: how many things of each kind, and some of them by
 * name. Immutable.
 */
@InterfaceAudience.Private
public final class Leftovers {
  /** How many things an answer names at most. */
  public static final int NAMED_MAX = 200;

  /**
   * The kinds of things that are left. Messages and the output of commands contain the names in
   * lower case, so the names never change.
   */
  public enum Kind {
    /** The directory of a conversion. */
    CONVERSION,
    /** The directory of a commit of updates. */
    COMMIT,
    /** A parity file of CORE. */
    CORE_PARITY,
    /** A parity file of CORE that version 0.2.0 of hdfs-ppr began and did not finish. */
    CORE_WORK,
    /** The record in which the plugin notes that a file has updates in place. */
    UPDATE_RECORD
  }

  /**
   * What will become of a thing. Messages and the output of commands contain the names in lower
   * case, so the names never change.
   */
  public enum State {
    /** A conversion or a commit is using it now. */
    WORKING,
    /** Nothing needs it any more. It may be deleted now. */
    FREE,
    /**
     * An old version that is still kept, because open streams may read it, or because the new
     * version lacks units that it has.
     */
    GRACE,
    /** A snapshot has it, and Hadoop cannot delete it before the snapshot is deleted. */
    HELD,
    /** The plugin cannot decide whether it is needed. An operator has to. */
    ASK,
    /** A function of hdfs-ppr needs it. */
    USED
  }

  /** One thing that is left. Immutable. */
  public static final class Item {
    public final Kind kind;
    /** What will become of it */
    public final State state;
    /** Where it is */
    public final String path;
    /** The path of the file whose version this is; empty if it is no version */
    public final String file;
    /**
     * Why it is still there, and what has to happen before it goes; empty if there is nothing to
     * say
     */
    public final String why;
    /** When it may be deleted, ms since 1970 (UTC); 0 if that is not known */
    public final long untilMs;
    /** The paths of the snapshots that have it */
    public final List<String> snapshots;

    /**
     * @param kind what it is
     * @param state what will become of it
     * @param path where it is
     * @param file the path of the file whose version this is; empty if it is no version
     * @param why why it is still there, and what has to happen before it goes; empty if there is
     *     nothing to say
     * @param untilMs when it may be deleted, ms since 1970 (UTC); 0 if that is not known
     * @param snapshots the paths of the snapshots that have it
     */
    public Item(Kind kind, State state, String path, String file, String why, long untilMs,
        List<String> snapshots) {
      this.kind = Objects.requireNonNull(kind, "kind");
      this.state = Objects.requireNonNull(state, "state");
      this.path = Objects.requireNonNull(path, "path");
      this.file = Objects.requireNonNull(file, "file");
      this.why = Objects.requireNonNull(why, "why");
      this.untilMs = untilMs;
      this.snapshots = List.copyOf(snapshots);
    }
  }

  private final Map<Kind, Map<State, Long>> counts;
  /** Some of the things that are left, at most {@link #NAMED_MAX} */
  public final List<Item> named;
  /** How many directories of conversions and commits the call has deleted */
  public final long cleared;
  /** Why the plugin could not look at everything; empty if it could */
  public final String unfinished;

  private Leftovers(Builder builder) {
    this.counts = builder.counts;
    this.named = Collections.unmodifiableList(builder.named);
    this.cleared = builder.cleared;
    this.unfinished = builder.unfinished;
  }

  /**
   * Collects the counts and names of what is left. Used by one thread, and not after {@link
   * #build}.
   */
  public static final class Builder {
    private final Map<Kind, Map<State, Long>> counts = new TreeMap<>();
    private final List<Item> named = new ArrayList<>();
    /** How many directories of conversions and commits the call has deleted. */
    public long cleared;
    /** Why the plugin could not look at everything; empty if it could. */
    public String unfinished = "";

    /**
     * @param kind a kind
     * @param state a state
     * @param more how many more things of this kind and state there are
     * @return this
     */
    public Builder count(Kind kind, State state, long more) {
      counts.computeIfAbsent(kind, any -> new TreeMap<>()).merge(state, more, Long::sum);
      return this;
    }

    /**
     * Names one thing, unless too many are named already.
     *
     * @param item the thing; this method does not count it
     * @return this
     */
    public Builder name(Item item) {
      if (named.size() < NAMED_MAX) {
        named.add(item);
      }
      return this;
    }

    /** @return the leftovers */
    public Leftovers build() {
      return new Leftovers(this);
    }
  }

  /**
   * Parses an answer that this node has received.
   *
   * @throws MalformedRequestException if it has the name of a kind or a state that this version
   *     does not know
   */
  static Leftovers parse(LeftoversResponseProto proto) throws MalformedRequestException {
    Builder left = new Builder();
    left.cleared = proto.getCleared();
    left.unfinished = proto.getUnfinished();
    for (LeftoverCountProto one : proto.getCountsList()) {
      left.count(of(Kind.class, one.getKind()), of(State.class, one.getState()), one.getCount());
    }
    for (LeftoverProto one : proto.getSomeList()) {
      left.name(new Item(of(Kind.class, one.getKind()), of(State.class, one.getState()),
          one.getPath(), one.getFile(), one.getWhy(), one.getUntilMs(), one.getSnapshotsList()));
    }
    return left.build();
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

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  LeftoversResponseProto toProto() {
    LeftoversResponseProto.Builder proto = LeftoversResponseProto.newBuilder()
        .setCleared(cleared).setUnfinished(unfinished);
    for (Kind kind : Kind.values()) {
      for (State state : State.values()) {
        if (count(kind, state) > 0) {
          proto.addCounts(LeftoverCountProto.newBuilder().setKind(word(kind))
              .setState(word(state)).setCount(count(kind, state)));
        }
      }
    }
    for (Item item : named) {
      proto.addSome(LeftoverProto.newBuilder().setKind(word(item.kind))
          .setState(word(item.state)).setPath(item.path).setFile(item.file)
          .setWhy(item.why).setUntilMs(item.untilMs).addAllSnapshots(item.snapshots));
    }
    return proto.build();
  }

  /**
   * @param kind a kind
   * @param state a state
   * @return how many things of this kind and state there are
   */
  public long count(Kind kind, State state) {
    return counts.getOrDefault(kind, Map.of()).getOrDefault(state, 0L);
  }

  /** @return how many things there are */
  public long count() {
    return counts.values().stream().flatMap(each -> each.values().stream())
        .mapToLong(Long::longValue).sum();
  }
}
