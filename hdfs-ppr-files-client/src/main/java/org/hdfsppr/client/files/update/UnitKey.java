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
package org.hdfsppr.client.files.update;

/**
 * Packs the index of a block group in a file and the index of a unit in the group into one long.
 */
final class UnitKey {
  private UnitKey() {
  }

  static long of(int group, int unit) {
    return (long) group << Integer.SIZE | unit;
  }

  static int group(long key) {
    return (int) (key >>> Integer.SIZE);
  }

  static int unit(long key) {
    return (int) key;
  }
}
