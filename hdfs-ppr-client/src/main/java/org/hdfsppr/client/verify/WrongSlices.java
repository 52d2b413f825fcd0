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
package org.hdfsppr.client.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The slices of a group whose sums were not zero. Used by one thread. */
@InterfaceAudience.Private
final class WrongSlices {
  /**
   * The most slices that are remembered. All units are read once more in these slices, so that
   * their number bounds what a contradiction costs. They lie over the whole group, because another
   * unit may be wrong behind the first wrong slices.
   */
  static final int KEPT_MOST = 16;

  private final List<Integer> some = new ArrayList<>();
  /** One wrong slice in this many is remembered. */
  private long oneIn = 1;
  private long count;
  private long clientBytes;

  void add(int slice) {
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

  void received(long bytes) {
    clientBytes += bytes;
  }

  /** The number of wrong slices. */
  long count() {
    return count;
  }

  /**
   * The numbers of some wrong slices, ascending, at most {@link #KEPT_MOST}: the first one, and
   * others at even distances.
   */
  List<Integer> some() {
    return Collections.unmodifiableList(some);
  }

  /** The bytes that came to the client. */
  long clientBytes() {
    return clientBytes;
  }
}
