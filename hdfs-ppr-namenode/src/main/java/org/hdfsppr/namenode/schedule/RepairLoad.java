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
package org.hdfsppr.namenode.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The bytes that one repair moves over each link and disk that it uses. A {@link Fleet} counts
 * these bytes while the repair is in flight. All counts are whole numbers, so that they return to
 * exactly 0 when all repairs have ended.
 */
@InterfaceAudience.Private
public final class RepairLoad {
  private final int[] resources;
  private final long[] bytes;
  private final long[] counted;
  /** The indices of the nodes from which the repair reads; each occurs once. */
  final int[] helpers;
  /** The indices of the nodes to which the repair writes. */
  final int[] targets;
  private boolean held;

  private RepairLoad(int[] resources, long[] bytes, int[] helpers, int[] targets) {
    this.resources = resources;
    this.bytes = bytes;
    this.counted = new long[bytes.length];
    this.helpers = helpers;
    this.targets = targets;
  }

  /** @return the load of a repair that moves nothing */
  public static RepairLoad none() {
    return new Builder().build(new int[0], new int[0]);
  }

  /** Returns the sum of the loads of several repairs. The fleet counts none of them yet. */
  static RepairLoad sum(List<RepairLoad> all) {
    Builder sum = new Builder();
    IntStream helpers = IntStream.empty();
    IntStream targets = IntStream.empty();
    for (RepairLoad one : all) {
      for (int i = 0; i < one.size(); i++) {
        sum.add(one.resource(i), one.bytes(i));
      }
      helpers = IntStream.concat(helpers, Arrays.stream(one.helpers));
      targets = IntStream.concat(targets, Arrays.stream(one.targets));
    }
    return sum.build(helpers.distinct().toArray(), targets.distinct().toArray());
  }

  /** @return how many resources the repair uses */
  public int size() {
    return resources.length;
  }

  /**
   * @param i index of the entry, from 0
   * @return the number of the entry's resource, see {@link LinkOrDisk}; no two entries have the
   *     same resource
   */
  public int resource(int i) {
    return resources[i];
  }

  /**
   * @param i index of the entry, from 0
   * @return bytes that the whole repair moves over that resource
   */
  public long bytes(int i) {
    return bytes[i];
  }

  boolean isHeld() {
    return held;
  }

  void setHeld(boolean on) {
    held = on;
  }

  /** Returns the bytes that the fleet currently counts as pending for entry i. */
  long counted(int i) {
    return counted[i];
  }

  void setCounted(int i, long now) {
    counted[i] = now;
  }

  /** Collects bytes per resource. */
  static final class Builder {
    private int[] resources = new int[64];
    private long[] bytes = new long[64];
    private int size;

    void add(int resource, long more) {
      if (more == 0) {
        return;
      }
      // A repair uses some tens of resources, for which a linear search is cheaper than a hash
      // table.
      for (int i = 0; i < size; i++) {
        if (resources[i] == resource) {
          bytes[i] += more;
          return;
        }
      }
      if (size == resources.length) {
        resources = Arrays.copyOf(resources, 2 * size);
        bytes = Arrays.copyOf(bytes, 2 * size);
      }
      resources[size] = resource;
      bytes[size++] = more;
    }

    RepairLoad build(int[] helpers, int[] targets) {
      return new RepairLoad(Arrays.copyOf(resources, size), Arrays.copyOf(bytes, size), helpers,
          targets);
    }
  }
}
