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
package org.hdfsppr.bench.simulate;

import java.util.Arrays;


/**
 * A binary heap of pairs. Each pair consists of a key and a number. The first pair has the smallest
 * key.
 */
final class FlowHeap {
  private double[] keys = new double[64];
  private int[] values = new int[64];
  private int size;

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  double leastKey() {
    return keys[0];
  }

  void add(double key, int value) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    int at = size++;
    while (at > 0 && keys[(at - 1) / 2] > key) {
      keys[at] = keys[(at - 1) / 2];
      values[at] = values[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    keys[at] = key;
    values[at] = value;
  }

  int poll() {
    int least = values[0];
    double key = keys[--size];
    int value = values[size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child + 1] < keys[child]) {
        child++;
      }
      if (keys[child] >= key) {
        break;
      }
      keys[at] = keys[child];
      values[at] = values[child];
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return least;
  }
}
