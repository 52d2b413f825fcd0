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

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A cache that maps numbers to answers. When the cache is full, it drops the answer whose last use
 * is longest ago.
 */
@InterfaceAudience.Private
final class BoundedCache<V> extends LinkedHashMap<Long, V> {
  private static final long serialVersionUID = 1L;
  private static final float LOAD_FACTOR = 0.75f;

  private final int entriesMax;

  BoundedCache(int entriesMax) {
    super(16, LOAD_FACTOR, true);
    this.entriesMax = entriesMax;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
    return size() > entriesMax;
  }
}
