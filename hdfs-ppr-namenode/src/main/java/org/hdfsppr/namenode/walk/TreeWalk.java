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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Walks over the wanted files at or below a path. Each directory is walked in the order of its
 * names, so that a walk can begin behind any file. Keeps one page of each directory on the way from
 * the path to the present file. Not thread-safe.
 */
@InterfaceAudience.Private
public final class TreeWalk {
  /**
   * How many pages one call of {@link #next} lists at most. In a large tree without wanted files,
   * the caller thus gets a turn before the search ends.
   */
  public static final int PAGES_PER_CALL = 64;
  private static final String SEPARATOR = "/";

  /** A directory that the walk is in. */
  private static final class Frame {
    private final String path;
    private String after;
    private Iterator<DirectoryLister.Entry> page = Collections.emptyIterator();
    private boolean isListed;

    Frame(String path, String after) {
      this.path = path;
      this.after = after;
    }
  }

  private final DirectoryLister namespace;
  private final String root;
  /**
   * The directories from the root to the present file, the deepest first. HDFS bounds the depth of
   * a path: dfs.namenode.fs-limits and 1,000 levels.
   */
  private final Deque<Frame> frames = new ArrayDeque<>();
  private long pagesListed;

  /**
   * @param root an absolute path of a directory or a file
   * @param cursor the file at or below {@code root} behind which the walk begins, which need not
   *     exist any more; null for the first file
   */
  public TreeWalk(DirectoryLister namespace, String root, String cursor) {
    this.namespace = namespace;
    this.root = root;
    if (root.equals(cursor)) {
      // The root is a file, and the walk begins behind it: there is no further file.
      return;
    }
    if (cursor == null || !isBelow(cursor, root)) {
      frames.push(new Frame(root, ""));
      return;
    }
    String directory = root;
    String rest = cursor.substring(prefix(root).length());
    for (String name : rest.split(SEPARATOR)) {
      frames.push(new Frame(directory, name));
      directory = child(directory, name);
    }
  }

  /** Returns whether a path is below another one. */
  public static boolean isBelow(String path, String root) {
    return path.startsWith(prefix(root)) && path.length() > prefix(root).length();
  }

  private static String prefix(String directory) {
    return directory.endsWith(SEPARATOR) ? directory : directory + SEPARATOR;
  }

  private static String child(String directory, String name) {
    return prefix(directory) + name;
  }

  /** Returns how many pages the walk has asked the NameNode for. */
  public long pagesListed() {
    return pagesListed;
  }

  /** Returns whether there is no further file. */
  public boolean isAtEnd() {
    return frames.isEmpty();
  }

  /**
   * Finds the next wanted file.
   *
   * @return its path; empty if there is none, see {@link #isAtEnd}, or if the search goes on with
   *     the next call
   * @throws FileNotFoundException if there is nothing at the root
   * @throws IOException if the NameNode does not list a directory now; the next call tries it again
   */
  public Optional<String> next() throws IOException {
    int pages = 0;
    while (!frames.isEmpty()) {
      Frame frame = frames.peek();
      if (frame.page.hasNext()) {
        DirectoryLister.Entry entry = frame.page.next();
        frame.after = entry.name;
        String path = entry.name.isEmpty() ? frame.path : child(frame.path, entry.name);
        if (entry.directory) {
          frames.push(new Frame(path, ""));
        } else if (entry.wanted) {
          return Optional.of(path);
        }
      } else if (frame.isListed) {
        frames.pop();
      } else if (pages++ == PAGES_PER_CALL) {
        return Optional.empty();
      } else {
        list(frame);
      }
    }
    return Optional.empty();
  }

  private void list(Frame frame) throws IOException {
    pagesListed++;
    try {
      DirectoryLister.Listing listing = namespace.list(frame.path, frame.after);
      boolean isFile = listing.entries.size() == 1
          && listing.entries.get(0).name.isEmpty();
      // A file may have taken the place of a directory that is not the root. The walk leaves it
      // out.
      frame.page = isFile && !frame.path.equals(root) ? Collections.emptyIterator()
          : listing.entries.iterator();
      frame.isListed = isFile || !listing.hasMore;
    } catch (FileNotFoundException e) {
      if (frame.path.equals(root)) {
        throw e;
      }
      // The directory was deleted meanwhile.
      frame.isListed = true;
    }
  }
}
