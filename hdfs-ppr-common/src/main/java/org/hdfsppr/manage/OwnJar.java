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
package org.hdfsppr.manage;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** A jar of hdfs-ppr on a class path. Immutable. */
@InterfaceAudience.Private
public final class OwnJar {
  /** The names of the jar's folder and of the jar, such as {@code lib/hdfs-ppr.jar} */
  public final String file;
  /** The version in the jar's manifest; empty if the manifest has none */
  public final String version;

  /**
   * @param file the names of its folder and of the jar, such as {@code lib/hdfs-ppr.jar}; for
   *     classes that are not in a jar, the names of the last two folders
   * @param version the version in the jar's manifest; empty if the manifest has none
   */
  public OwnJar(String file, String version) {
    this.file = Objects.requireNonNull(file, "file");
    this.version = Objects.requireNonNull(version, "version");
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof OwnJar && ((OwnJar) o).file.equals(file)
        && ((OwnJar) o).version.equals(version);
  }

  @Override
  public int hashCode() {
    return Objects.hash(file, version);
  }

  @Override
  public String toString() {
    return version.isEmpty() ? file : file + " (" + version + ")";
  }
}
