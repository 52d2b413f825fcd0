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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * Knows the bytes of each internal block from the first finalised replica that was seen of it.
 * Blocks of closed files never change, so that each later replica must have the same bytes.
 */
final class ReplicaOracle {
  /** Checksums and lengths, by the id of the internal block. */
  private final Map<Long, String> known = new HashMap<>();
  /** What a replica's file was when its bytes were read, by its path. */
  private final Map<Path, String> read = new HashMap<>();
  private long replicas;

  /** Compares all replicas on the disks of all nodes, also of those that are down. */
  void check(DiskLook look) throws IOException {
    for (DiskGroup group : look.groups()) {
      for (int unit : group.units()) {
        for (int node = 1; node <= VersionsCluster.NODES; node++) {
          Path data = group.replica(node, unit).data;
          try {
            check(group, unit, node, data);
          } catch (NoSuchFileException e) {
            // The node has no replica, or has deleted it a moment ago.
            read.remove(data);
          }
        }
      }
    }
  }

  private void check(DiskGroup group, int unit, int node, Path data) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(data, BasicFileAttributes.class);
    String file =
        attributes.fileKey() + " " + attributes.size() + " " + attributes.lastModifiedTime();
    if (!file.equals(read.get(data))) {
      String now = checksum(data);
      String before = known.putIfAbsent(group.id() + unit, now);
      assertEquals(before == null ? now : before, now, () -> "checksum and length of unit " + unit
          + " of " + group + " on dn" + node);
      read.put(data, file);
      replicas++;
    }
  }

  private static String checksum(Path data) throws IOException {
    CRC32C sum = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(data), sum)) {
      long bytes = in.transferTo(OutputStream.nullOutputStream());
      return Long.toHexString(sum.getValue()) + " of " + bytes + " bytes";
    }
  }

  /** Returns how many replicas were compared. */
  long replicas() {
    return replicas;
  }
}
