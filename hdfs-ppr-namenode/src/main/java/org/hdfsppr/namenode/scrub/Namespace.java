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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a scrubber reads of the NameNode's files, and the notes that it keeps there. */
@InterfaceAudience.Private
public interface Namespace {
  /** A file or directory in a list. Immutable. */
  @InterfaceAudience.Private
  final class Entry {
    private final String name;
    private final boolean directory;
    private final boolean erasureCoded;

    /**
     * @param name the name within its directory; empty if the listed path is a file itself
     * @param directory whether it is a directory
     * @param erasureCoded whether it is a file with block groups
     */
    public Entry(String name, boolean directory, boolean erasureCoded) {
      this.name = name;
      this.directory = directory;
      this.erasureCoded = erasureCoded;
    }

    String name() {
      return name;
    }

    boolean isDirectory() {
      return directory;
    }

    boolean isErasureCoded() {
      return erasureCoded;
    }
  }

  /** Some entries of a directory, in the order of their names. Immutable. */
  @InterfaceAudience.Private
  final class Listing {
    private final List<Entry> entries;
    private final boolean hasMore;

    /**
     * @param entries the entries
     * @param hasMore whether there are entries behind the last one
     */
    public Listing(List<Entry> entries, boolean hasMore) {
      this.entries = Collections.unmodifiableList(new ArrayList<>(entries));
      this.hasMore = hasMore;
    }

    List<Entry> entries() {
      return entries;
    }

    boolean hasMore() {
      return hasMore;
    }
  }

  /**
   * Lists a page of a directory.
   *
   * @param path an absolute path
   * @param after list the entries behind this name only; empty for all
   * @return the entries in the order of their names, or the file itself with an empty name
   * @throws java.io.FileNotFoundException if there is nothing at that path
   * @throws IOException if the NameNode does not answer this, for instance as a standby
   */
  Listing list(String path, String after) throws IOException;

  /**
   * Describes the groups of a file as they are now.
   *
   * @param file an absolute path
   * @return the groups in the order of the file; empty if there is no such erasure-coded file
   * @throws IOException if the NameNode does not answer this
   */
  List<CheckGroup> groups(String file) throws IOException;

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
