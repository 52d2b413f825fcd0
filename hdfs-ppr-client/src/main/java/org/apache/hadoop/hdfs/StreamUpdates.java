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
package org.apache.hadoop.hdfs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;

/** The updates of files that one client makes and sees. Thread-safe. */
@InterfaceAudience.Private
public interface StreamUpdates extends Closeable {
  /**
   * @param src a file's path
   * @return whether the file may have updates, or get some
   * @throws IOException if the NameNode does not answer
   */
  boolean mayHave(String src) throws IOException;

  /**
   * Opens a stream that sees updates.
   *
   * @param file the file
   * @return the stream
   * @throws IOException if it cannot be opened
   */
  PprStripedInputStream open(PprStripedInputStream.StripedFile file) throws IOException;

  /**
   * Opens a closed file to write into it in place.
   *
   * @param src the file's path
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  FileUpdater openForUpdate(String src) throws IOException;

  /**
   * Opens a closed file to write into it in place, from many threads at the same time.
   *
   * @param src the file's path
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  SharedUpdater openForSharedUpdate(String src) throws IOException;

  /** Ends all requests. Updates that were not acknowledged may be in the logs or not. */
  @Override
  void close();
}
