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
package org.hdfsppr.namenode.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.version.VersionHome;
import org.junit.jupiter.api.Test;

/** Tests what operators read about files that are versions of others. */
@InterfaceAudience.Private
class TestFilesNameNodeParts {
  private static final long INODE = 16_400;

  @Test
  void versionsAreExplained() {
    String home = VersionHome.CONVERSIONS.directory(INODE);
    assertEquals(Optional.of("The group belongs to a new version of the file with inode 16400,"
        + " which is being made ('hdfs ppr -convert -status')."),
        FilesNameNodeParts.versionOf(home + "/new"));
    assertEquals(Optional.of("The group belongs to the old version of a converted file, which was"
        + " inode 16400 and is deleted when its grace has ended."),
        FilesNameNodeParts.versionOf(home + "/old"));
    assertEquals(Optional.empty(), FilesNameNodeParts.versionOf("/user/file"));
  }
}
