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
package org.hdfsppr.namenode.walk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Lists directories of the NameNode for a {@link TreeWalk}. */
@InterfaceAudience.Private
public interface DirectoryLister {
  /** A file or directory in a list. Immutable. */
  final class Entry {
    /** The name within its directory; empty if the listed path is a file itself */
    public final String name;
    /** Whether it is a directory */
    public final boolean directory;
    /** Whether it is a file that the walk shall find */
    public final boolean wanted;

    /**
     * @param name the name within its directory; empty if the listed path is a file itself
     * @param directory whether it is a directory
     * @param wanted whether it is a file that the walk shall find
     */
    public Entry(String name, boolean directory, boolean wanted) {
      this.name = name;
      this.directory = directory;
      this.wanted = wanted;
    }
  }

  /** Some entries of a directory, in the order of their names. Immutable. */
  final class Listing {
    /** The entries in the order of their names */
    public final List<Entry> entries;
    /** Whether there are entries behind the last one */
    public final boolean hasMore;

    /**
     * @param entries the entries
     * @param hasMore whether there are entries behind the last one
     */
    public Listing(List<Entry> entries, boolean hasMore) {
      this.entries = Collections.unmodifiableList(new ArrayList<>(entries));
      this.hasMore = hasMore;
    }
  }

  /**
   * Lists a page of a directory.
   *
   * @param path an absolute path
   * @param after list the entries behind this name only; empty for all
   * @return the entries in the order of their names, or the file itself with an empty name
   * @throws java.io.FileNotFoundException if there is nothing at that path
   * @throws IOException if the NameNode does not answer, for instance because it is a standby
   */
  Listing list(String path, String after) throws IOException;
}
