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

import java.util.Map;

import org.hdfsppr.it.cluster.ClusterSpec;

/** The jars of the last release, beside which the new ones are tested. */
final class OlderRelease {
  /** Names the folder with the jars, such as {@code lib} of a release that is unpacked. */
  static final String PROPERTY = "old.jars";
  /** Why a test does not run without it. */
  static final String MISSING =
      "-Dold.jars=DIR is not set: a folder with the three drop-in jars of hdfs-ppr 0.2.0";

  private OlderRelease() {
  }

  /**
   * Returns the settings of a cluster, some of whose daemons run the older release.
   *
   * @param daemons their names, such as {@code nn2} and {@code dn1}
   */
  static Map<String, String> on(String... daemons) {
    return Map.of(ClusterSpec.OLDER_JARS_KEY, System.getProperty(PROPERTY),
        ClusterSpec.OLDER_DAEMONS_KEY, String.join(" ", daemons));
  }
}
