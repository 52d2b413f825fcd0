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
package org.hdfsppr.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The slices of a group whose sums were not zero. Used by one thread. */
@InterfaceAudience.Private
public final class WrongSlices {
  /**
   * How many wrong slices are remembered at most. The check reads these slices of all units once
   * more, so that this number bounds the cost. The remembered slices are spread over the whole
   * group, because a second unit may be wrong only in later slices than the first unit.
   */
  public static final int KEPT_MOST = 16;

  private final List<Integer> some = new ArrayList<>();
  /**
   * Of the wrong slices, one in this many is remembered; the number doubles whenever more than
   * {@link #KEPT_MOST} are remembered.
   */
  private long oneIn = 1;
  private long count;
  private long bytesReceived;

  /**
   * Counts a wrong slice, and remembers some of them.
   *
   * @param slice number of the slice, greater than in all earlier calls
   */
  public void add(int slice) {
    if (count++ % oneIn != 0) {
      return;
    }
    some.add(slice);
    if (some.size() > KEPT_MOST) {
      for (int i = some.size() - 1; i >= 0; i--) {
        if (i % 2 == 1) {
          some.remove(i);
        }
      }
      oneIn *= 2;
    }
  }

  /**
   * Counts bytes that came over the network.
   *
   * @param bytes number of bytes
   */
  public void received(long bytes) {
    bytesReceived += bytes;
  }

  /** @return the number of wrong slices */
  public long count() {
    return count;
  }

  /**
   * @return the numbers of the remembered wrong slices, ascending, at most {@link #KEPT_MOST}: the
   *     first wrong slice, and others at even distances among the wrong slices
   */
  public List<Integer> some() {
    return Collections.unmodifiableList(some);
  }

  /** @return the number of bytes that came over the network */
  public long bytesReceived() {
    return bytesReceived;
  }
}
