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
package org.hdfsppr.namenode.scrub;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.walk.DirectoryLister;

/** The part of the NameNode's namespace that a scrubber needs: files, and notes at their paths. */
@InterfaceAudience.Private
public interface ScrubNamespace extends DirectoryLister {
  /**
   * Describes the groups of a file as they are now.
   *
   * @param file an absolute path
   * @return the groups in the order of the file; empty if there is no such erasure-coded file
   * @throws IOException if the NameNode does not answer now
   */
  List<ScrubTarget> groups(String file) throws IOException;

  /**
   * @param path an absolute path
   * @return the note that was last kept there
   * @throws IOException if there is nothing at that path, or if this cluster keeps no notes
   */
  Optional<byte[]> note(String path) throws IOException;

  /**
   * Keeps a note at a path, in place of the one before.
   *
   * @param path an absolute path
   * @param note at most some kilobytes
   * @throws IOException if there is nothing at that path, or if this cluster keeps no notes
   */
  void keepNote(String path, byte[] note) throws IOException;
}
