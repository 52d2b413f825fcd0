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
package org.hdfsppr.namenode.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.walk.DirectoryLister.Entry;
import org.hdfsppr.namenode.walk.DirectoryLister.Listing;

/** A namespace of files that a test invents. */
final class PaperFiles implements ConvertNamespace {
  static final long FILE_BYTES = 1_000;
  private static final int PAGE = 2;

  /** The policy of each file; null for a replicated one. */
  final Map<String, String> files = new TreeMap<>();
  /** The policies of directories. A directory without one has that of the directory above. */
  final Map<String, String> policies = new HashMap<>();
  final Set<String> forbidden = new HashSet<>();
  IOException failure;
  boolean isInSafeMode;
  /** Happens when the NameNode is asked for a path. */
  Runnable onStatus = () -> { };
  /** A path that makes the NameNode throw an error. */
  String poison = "";

  void put(String path, String policy) {
    files.put(path, policy);
  }

  @Override
  public boolean isInSafeMode() {
    return isInSafeMode;
  }

  @Override
  public Listing list(String user, String path, String after) throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (forbidden.contains(path)) {
      throw new AccessControlException("Permission denied: user=" + user);
    }
    if (files.containsKey(path)) {
      return new Listing(List.of(new Entry("", false, true)), false);
    }
    Map<String, Entry> entries = new TreeMap<>();
    for (String file : files.keySet()) {
      if (file.startsWith(path + "/")) {
        String rest = file.substring(path.length() + 1);
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        entries.put(name, new Entry(name, slash >= 0, slash < 0));
      }
    }
    if (entries.isEmpty()) {
      throw new FileNotFoundException(path);
    }
    List<Entry> behind = new ArrayList<>();
    entries.forEach((name, entry) -> {
      if (name.compareTo(after) > 0) {
        behind.add(entry);
      }
    });
    int end = Math.min(PAGE, behind.size());
    return new Listing(behind.subList(0, end), end < behind.size());
  }

  @Override
  public Optional<PathStatus> status(String path) {
    onStatus.run();
    if (path.equals(poison)) {
      throw new AssertionError("a path with a name that the NameNode does not expect");
    }
    if (files.containsKey(path)) {
      return Optional.of(new PathStatus(path.hashCode() & 0xffff | 1, false, FILE_BYTES,
          files.get(path)));
    }
    return files.keySet().stream().anyMatch(file -> file.startsWith(path + "/"))
        ? Optional.of(new PathStatus(1, true, 0, policyOf(path))) : Optional.empty();
  }

  private String policyOf(String directory) {
    for (String up = directory; !up.isEmpty(); up = up.substring(0, up.lastIndexOf('/'))) {
      if (policies.containsKey(up)) {
        return policies.get(up);
      }
    }
    return null;
  }

  @Override
  public PathTotals totals(String user, String path) throws IOException {
    if (forbidden.stream().anyMatch(one -> one.equals(path) || one.startsWith(path + "/"))) {
      throw new AccessControlException("Permission denied: user=" + user);
    }
    long count = files.keySet().stream().filter(file -> file.equals(path)
        || file.startsWith(path + "/")).count();
    return new PathTotals(count, count * FILE_BYTES);
  }

  @Override
  public void setPolicy(String user, String directory, String policy) throws IOException {
    if (forbidden.contains("policy of " + directory)) {
      throw new AccessControlException("Permission denied: user=" + user + ", access=WRITE");
    }
    policies.put(directory, policy);
  }
}
