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
package org.hdfsppr.datanode.update.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The folder of a log. A log makes all accesses to the disk through this interface, so that a test
 * can simulate a disk that loses what was not synced. Thread-safe.
 */
interface LogFolder extends Closeable {
  /** Returns the names of all files, in any order. */
  List<String> names() throws IOException;

  /** Makes an empty file; fails if the name exists. */
  LogFile create(String name) throws IOException;

  /** Opens an existing file. */
  LogFile open(String name) throws IOException;

  /** Removes a file. */
  void delete(String name) throws IOException;

  /**
   * Syncs the folder to the disk, so that files that were made before the call stay, and deleted
   * ones stay away, after a loss of power.
   */
  void sync() throws IOException;

  /** Unlocks the folder for other logs. The files stay open. */
  @Override
  void close() throws IOException;

  /** Returns the path of the folder, for messages. */
  @Override
  String toString();
}
