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
package org.hdfsppr.client.read;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Notices that a stream's path has become another file's. The NameNode is asked by path, so that
 * its answers are then about a file that the stream was not opened for. Thread-safe.
 */
@InterfaceAudience.Private
public final class OwnFile {
  /** Compares two answers of the NameNode. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Comparison {
    /**
     * Compares.
     *
     * @throws UntrustedBytesException if they are about two files
     */
    void run() throws UntrustedBytesException;
  }

  private volatile UntrustedBytesException replaced;

  /**
   * Throws if the file was replaced, also if another thread has found that out.
   *
   * @throws UntrustedBytesException if the file was replaced
   */
  public void require() throws UntrustedBytesException {
    UntrustedBytesException why = replaced;
    if (why != null) {
      throw new UntrustedBytesException(why.getMessage(), why);
    }
  }

  /**
   * Compares a new answer of the NameNode with what was known before.
   *
   * @param comparison throws if they are about two files
   * @throws UntrustedBytesException if it does; {@link #require} then throws, too
   */
  public void check(Comparison comparison) throws UntrustedBytesException {
    try {
      comparison.run();
    } catch (UntrustedBytesException e) {
      replaced = e;
      throw e;
    }
  }
}
