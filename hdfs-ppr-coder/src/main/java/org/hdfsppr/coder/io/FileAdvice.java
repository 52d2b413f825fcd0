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
package org.hdfsppr.coder.io;

import java.io.FileDescriptor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.NativeLibrary;

/**
 * Tells the kernel how a file is going to be read, posix_fadvise(2), and asks what of it lies in
 * memory, mincore(2), through the native library. Neither changes a byte that is read, so that
 * without the library nothing is said and nothing fails.
 */
@InterfaceAudience.Private
public final class FileAdvice {
  // POSIX_FADV_* of Linux, the same on all its architectures but s390.
  private static final int RANDOM = 1;
  private static final int WILL_NEED = 3;

  private FileAdvice() {
  }

  /** {@return whether advice reaches the kernel here} */
  public static boolean isPossible() {
    return NativeLibrary.isLoaded();
  }

  /**
   * Nothing but what is asked for is to be read from now on. Left to itself the kernel reads ahead
   * of whoever reads in order, by megabytes on some systems.
   *
   * @param file an open file
   * @return whether the kernel has heard it
   */
  public static boolean random(FileDescriptor file) {
    return isPossible() && advise(file, 0, 0, RANDOM) == 0;
  }

  /**
   * A run of bytes is to be read soon. Does not wait for it.
   *
   * @param file an open file
   * @param offset where the range begins
   * @param length bytes of the range
   * @return whether the kernel has heard it
   */
  public static boolean willNeed(FileDescriptor file, long offset, long length) {
    return isPossible() && advise(file, offset, length, WILL_NEED) == 0;
  }

  /**
   * About how many of a file's first {@code length} bytes lie in memory. Reads none of them. Of
   * more than 256 pages that many are looked at, in runs evenly spread, and stand for the rest.
   *
   * @param file an open file
   * @param length bytes of the file, from its beginning
   * @return the number of bytes, or -1 if it cannot be told
   */
  public static long residentBytes(FileDescriptor file, long length) {
    return isPossible() ? resident(file, length) : -1;
  }

  private static native long resident(FileDescriptor file, long length);

  /** @return 0 or an error number */
  private static native int advise(FileDescriptor file, long offset, long length, int advice);
}
