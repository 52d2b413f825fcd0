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
package org.hdfsppr.it.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/**
 * The contract of erasure-coded files: that of HDFS, except that a file's last block cannot be
 * appended to, and that files cannot be flushed or concatenated.
 */
final class StripedContract extends AbstractFSContract {
  private static final AtomicReference<LossyFileSystem> CURRENT = new AtomicReference<>();

  private static final List<String> PROMISES = List.of("root-tests-enabled", "is-case-sensitive",
      "supports-atomic-directory-delete", "supports-atomic-rename", "supports-block-locality",
      "supports-seek", "rejects-seek-past-eof", "supports-strict-exceptions",
      "supports-unix-permissions", "rename-returns-false-if-dest-exists",
      "rename-returns-false-if-source-missing", "supports-settimes", "supports-getfilestatus",
      "supports-file-reference", "supports-content-check", "supports-unbuffer");

  /** Limits how many seeks a test makes. Hadoop's own tests of HDFS make 500. */
  private static final Map<String, String> SIZES = Map.of("test.random-seek-count", "200");

  StripedContract(Configuration conf) {
    super(conf);
    PROMISES.forEach(promise -> conf.setBoolean("fs.contract." + promise, true));
    SIZES.forEach((key, value) -> conf.set("fs.contract." + key, value));
  }

  /**
   * Hadoop's test classes create their contract themselves, so the file system is passed through a
   * static field.
   */
  static void use(LossyFileSystem fileSystem) {
    CURRENT.set(fileSystem);
  }

  @Override
  public FileSystem getTestFileSystem() {
    return CURRENT.get();
  }

  @Override
  public String getScheme() {
    return "hdfs";
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
