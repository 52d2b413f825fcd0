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
 * Advises the operating system how a process will read a file (posix_fadvise(2)), and asks how much
 * of a file is in memory (mincore(2)), through the native library. Neither call changes the bytes
 * that a reader gets. Without the library the methods do nothing, and throw no exception.
 */
@InterfaceAudience.Private
public final class FileAdvice {
  // Constants POSIX_FADV_* of Linux. Their values are the same on all architectures except s390.
  private static final int RANDOM = 1;
  private static final int WILL_NEED = 3;

  private FileAdvice() {
  }

  /**
   * {@return whether this process can advise the operating system, because the native library is
   * loaded}
   */
  public static boolean isPossible() {
    return NativeLibrary.isLoaded();
  }

  /**
   * Switches read-ahead off for an open file. Without this, the operating system reads ahead of a
   * sequential reader, by megabytes on some systems.
   *
   * @param file an open file
   * @return true if the operating system has accepted the advice
   */
  public static boolean random(FileDescriptor file) {
    return isPossible() && advise(file, 0, 0, RANDOM) == 0;
  }

  /**
   * Announces that the process will soon read a range of bytes. The method does not wait for the
   * disk.
   *
   * @param file an open file
   * @param offset offset of the range, bytes
   * @param length length of the range, bytes
   * @return true if the operating system has accepted the advice
   */
  public static boolean willNeed(FileDescriptor file, long offset, long length) {
    return isPossible() && advise(file, offset, length, WILL_NEED) == 0;
  }

  /**
   * Estimates how many of a file's first {@code length} bytes are in memory, without reading them.
   * If these bytes have more than 256 pages, the method samples 256 of the pages, in evenly spread
   * runs, and extrapolates.
   *
   * @param file an open file
   * @param length bytes of the file, from its beginning
   * @return the number of bytes, or -1 if the operating system cannot say
   */
  public static long residentBytes(FileDescriptor file, long length) {
    return isPossible() ? resident(file, length) : -1;
  }

  private static native long resident(FileDescriptor file, long length);

  /**
   * Calls posix_fadvise.
   *
   * @return 0, or an error number
   */
  private static native int advise(FileDescriptor file, long offset, long length, int advice);
}
