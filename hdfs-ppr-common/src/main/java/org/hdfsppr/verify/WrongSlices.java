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
   * The most slices that are remembered. All units are read once more in these slices, so that
   * their number bounds the cost of a contradiction. They are spread over the whole group, because
   * another unit may be wrong behind the first wrong slices.
   */
  public static final int KEPT_MOST = 16;

  private final List<Integer> some = new ArrayList<>();
  /** One wrong slice in this many is remembered. */
  private long oneIn = 1;
  private long count;
  private long bytesReceived;

  /**
   * Notes a wrong slice.
   *
   * @param slice number of the slice, greater than that of each slice before
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
   * Notes bytes that came over the network.
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
   * @return the numbers of some wrong slices, ascending, at most {@link #KEPT_MOST}: the first one,
   *     and others at even distances
   */
  public List<Integer> some() {
    return Collections.unmodifiableList(some);
  }

  /** @return the bytes of sums that came to the reader */
  public long bytesReceived() {
    return bytesReceived;
  }
}
