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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The bytes that one repair moves over each link and disk that it uses. A {@link Fleet} counts them
 * while the repair is in flight. They are whole numbers, so that nothing is left when all repairs
 * have ended.
 */
@InterfaceAudience.Private
public final class RepairLoad {
  private final int[] resources;
  private final long[] bytes;
  private final long[] counted;
  private final int[] helpers;
  private final int[] targets;
  private boolean held;

  private RepairLoad(int[] resources, long[] bytes, int[] helpers, int[] targets) {
    this.resources = resources;
    this.bytes = bytes;
    this.counted = new long[bytes.length];
    this.helpers = helpers;
    this.targets = targets;
  }

  /** @return a repair that moves nothing */
  public static RepairLoad none() {
    return new Builder().build(new int[0], new int[0]);
  }

  /** @return how many resources it uses */
  public int size() {
    return resources.length;
  }

  /**
   * @param i index of the entry, from 0
   * @return a number of {@link Resource}; each occurs once
   */
  public int resource(int i) {
    return resources[i];
  }

  /**
   * @param i index of the entry, from 0
   * @return bytes in all over that resource
   */
  public long bytes(int i) {
    return bytes[i];
  }

  /** Indices of the nodes that are read from, each once. */
  int[] helpers() {
    return helpers;
  }

  /** Indices of the nodes that are written to. */
  int[] targets() {
    return targets;
  }

  boolean isHeld() {
    return held;
  }

  void setHeld(boolean on) {
    held = on;
  }

  /** The bytes that the fleet has counted for resource i. */
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
      // A repair uses some tens of resources: a search is cheaper than a hash table.
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
