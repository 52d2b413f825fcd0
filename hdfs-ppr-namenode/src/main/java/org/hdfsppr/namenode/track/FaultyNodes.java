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
package org.hdfsppr.namenode.track;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Decides which nodes seem to have bad memory or a bad processor. Such a node took part in failed
 * checks of several groups, and the repairs of these groups succeed without it. It should be kept
 * out of repairs. A witness is a node whose repair succeeded without the suspected node. The
 * reports of one witness are not enough, because the witness may be the faulty node. This class
 * only decides; other classes keep the node out. Thread-safe.
 */
@InterfaceAudience.Private
public final class FaultyNodes {
  /**
   * A node is kept out of repairs after checks with it have failed in this many groups. Two such
   * groups may be chance, because each of them may have a wrong unit of its own.
   */
  static final int GROUPS = 3;
  /** The number of witnesses that have to agree before a node is kept out. */
  static final int WITNESSES = 2;
  /**
   * The time for which a failed check counts, ms. The time is long, because bits flip rarely and a
   * bad node may cause only a few failed checks a day.
   */
  static final long WITHIN_MS = 86_400_000;
  /**
   * How long a node is kept out of repairs, ms. The time is long, because bad memory stays bad, and
   * a repair that checks only samples may not notice wrong sums. The time is bounded, because an
   * old finding must not keep a node out for ever.
   */
  public static final long QUARANTINE_MS = 86_400_000;
  /**
   * How many groups are remembered for one node at most. The decision needs only {@link #GROUPS}.
   */
  static final int MARKS_MAX = 64;
  /**
   * The greatest number of nodes whose failed checks are remembered. If there are more nodes, this
   * class forgets the node that it noted first.
   */
  static final int NODES_MAX = 20_000;

  private static final class Mark {
    private final String witness;
    private final long untilMs;

    Mark(String witness, long untilMs) {
      this.witness = witness;
      this.untilMs = untilMs;
    }
  }

  private final LongSupplier clockMs;
  private final Map<String, Map<GroupId, Mark>> marks = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Map<GroupId, Mark>> eldest) {
      return size() > NODES_MAX;
    }
  };
  private final Map<String, Long> quarantinedUntilMs = new HashMap<>();

  /** @param clockMs the time, monotonic, ms */
  public FaultyNodes(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * Takes note that a check of a group failed with a node, and that a repair of the group has
   * succeeded without the node.
   *
   * @param uuid UUID of the node
   * @param group the group whose check failed
   * @param witness UUID of the node whose repair succeeded
   * @return the groups whose checks failed with the node, if this report decides that the node is
   *     kept out; otherwise empty
   */
  public synchronized Optional<Set<GroupId>> mark(String uuid, GroupId group, String witness) {
    if (uuid.equals(witness) || isQuarantined(uuid)) {
      return Optional.empty();
    }
    long now = clockMs.getAsLong();
    Map<GroupId, Mark> own = marks.computeIfAbsent(uuid, node -> new LinkedHashMap<>());
    own.values().removeIf(mark -> now >= mark.untilMs);
    if (own.size() < MARKS_MAX) {
      own.put(group, new Mark(witness, now + WITHIN_MS));
    }
    Set<String> witnesses = new HashSet<>();
    own.values().forEach(mark -> witnesses.add(mark.witness));
    if (own.size() < GROUPS || witnesses.size() < WITNESSES) {
      return Optional.empty();
    }
    marks.remove(uuid);
    quarantinedUntilMs.put(uuid, now + QUARANTINE_MS);
    return Optional.of(own.keySet());
  }

  /**
   * Ends the quarantine of a node at once, because a superuser says that the node is repaired.
   *
   * @param uuid the DataNode's UUID
   * @return whether the node was kept out
   */
  public synchronized boolean readmit(String uuid) {
    boolean wasOut = isQuarantined(uuid);
    quarantinedUntilMs.remove(uuid);
    marks.remove(uuid);
    return wasOut;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether the node is kept out now
   */
  public synchronized boolean isQuarantined(String uuid) {
    Long until = quarantinedUntilMs.get(uuid);
    return until != null && clockMs.getAsLong() < until;
  }

  /**
   * @return UUIDs of the nodes that should be kept out now; the node that has been kept out for the
   *     longest time comes first
   */
  public synchronized List<String> longestFirst() {
    Map<String, Long> left = quarantined();
    return left.keySet().stream().sorted(Comparator.comparing(left::get))
        .collect(Collectors.toList());
  }

  /** @return UUIDs of the nodes that are kept out now, each with the remaining time, ms */
  public synchronized Map<String, Long> quarantined() {
    long now = clockMs.getAsLong();
    quarantinedUntilMs.values().removeIf(until -> now >= until);
    Map<String, Long> left = new TreeMap<>();
    quarantinedUntilMs.forEach((uuid, until) -> left.put(uuid, until - now));
    return left;
  }
}
