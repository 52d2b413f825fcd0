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
   * their number bounds what a contradiction costs. If a unit is wrong throughout, a few slices
   * show it.
   */
  static final int KEPT_MOST = 16;

  private final List<Integer> first = new ArrayList<>();
  private long count;
  private long clientBytes;

  void add(int slice) {
    count++;
    if (first.size() < KEPT_MOST) {
      first.add(slice);
    }
  }

  void received(long bytes) {
    clientBytes += bytes;
  }

  /** The number of wrong slices. */
  long count() {
    return count;
  }

  /** The numbers of the first wrong slices, ascending, at most {@link #KEPT_MOST}. */
  List<Integer> first() {
    return Collections.unmodifiableList(first);
  }

  /** The bytes that came to the client. */
  long clientBytes() {
    return clientBytes;
  }
}
