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
 * Notices that a stream's path now belongs to another file. Clients ask the NameNode by path, so
 * the NameNode's answers are then about a file for which the stream was not opened. Thread-safe.
 */
@InterfaceAudience.Private
public final class OwnFile {
  /** Compares two answers of the NameNode. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Comparison {
    /**
     * Compares the two answers.
     *
     * @throws UntrustedBytesException if the answers are about different files
     */
    void run() throws UntrustedBytesException;
  }

  private volatile UntrustedBytesException replaced;

  /**
   * Throws if this or another thread has found out that the path now belongs to another file.
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
   * Compares a new answer of the NameNode with an earlier answer.
   *
   * @param comparison throws if the answers are about different files
   * @throws UntrustedBytesException if {@code comparison} throws it; every later call of {@link
   *     #require} then throws as well
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
