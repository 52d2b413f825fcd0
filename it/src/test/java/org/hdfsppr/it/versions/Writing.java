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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hdfsppr.it.util.Trees;

/** An internal block that a node writes at the moment, and has not finalised. */
final class Writing {
  private static final Pattern UNFINISHED =
      Pattern.compile(".*/(?:tmp|rbw)/blk_(-\\d+)");
  /** The last bits of an internal block's id are its index. */
  private static final int INDEX_MASK = 15;

  final int node;
  private final long blockId;

  private Writing(int node, long blockId) {
    this.node = node;
    this.blockId = blockId;
  }

  /** Returns a block that is meant, if a node has written a part of it. */
  static Optional<Writing> find(VersionsCluster cluster, LongPredicate isMeant)
      throws IOException {
    for (int node = 1; node <= VersionsCluster.NODES; node++) {
      for (Path file : Trees.files(cluster.processes.dataDir(node),
          path -> UNFINISHED.matcher(path.toString()).matches())) {
        Matcher name = UNFINISHED.matcher(file.toString());
        if (name.matches() && isMeant.test(Long.parseLong(name.group(1)))
            && file.toFile().length() > 0) {
          return Optional.of(new Writing(node, Long.parseLong(name.group(1))));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the block's index in its block group. */
  int unit() {
    return (int) (blockId & INDEX_MASK);
  }
}
