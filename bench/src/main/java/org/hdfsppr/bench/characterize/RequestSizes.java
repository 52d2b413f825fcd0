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
package org.hdfsppr.bench.characterize;

import java.util.List;
import java.util.TreeSet;

import org.hdfsppr.bench.run.ByteSize;

/** Reads lists of request sizes: {@code 4k,16k}, and {@code 1k..128k} for each power of two. */
final class RequestSizes {
  private static final String RANGE = "\\.\\.";
  /** The longest request that {@code hdfs ppr -nbd} takes. */
  private static final long MOST = 32 << 20;
  private static final long KIB = 1024;

  private RequestSizes() {
  }

  /**
   * {@return the sizes in bytes, in increasing order}
   *
   * @param words the words between commas
   */
  static List<Long> parse(List<String> words) {
    TreeSet<Long> sizes = new TreeSet<>();
    for (String word : words) {
      String[] ends = word.split(RANGE);
      long least = size(ends[0]);
      long most = ends.length == 1 ? least : size(ends[1]);
      if (ends.length > 2 || least > most) {
        throw new IllegalArgumentException("--request has '" + word + "', and wants sizes such as"
            + " 4k and ranges such as 1k..128k");
      }
      for (long size = least; size <= most; size *= 2) {
        sizes.add(size);
      }
    }
    return List.copyOf(sizes);
  }

  private static long size(String word) {
    long size = new ByteSize().convert(word);
    if (size < KIB || size > MOST) {
      throw new IllegalArgumentException("--request has '" + word + "', not 1k to 32m");
    }
    return size;
  }

  /** {@return a size as fio and people write it} */
  static String text(long bytes) {
    return bytes % KIB == 0 ? bytes / KIB + "k" : Long.toString(bytes);
  }
}
