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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.ItPaths;
import org.hdfsppr.it.util.Shell;

/** Asks Maven for the class path of the daemons of a Hadoop release. */
@InterfaceAudience.Private
public final class HadoopClassPath {

  /** The Hadoop release against which the project is compiled. */
  public static final String DEFAULT_VERSION = "3.4.3";

  /** The time limit of the call of Maven, which may first have to download the release. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private HadoopClassPath() {
  }

  /**
   * {@return the release's jars, joined by colons, without jars of tests}
   *
   * @param version the Hadoop version
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String ofDaemons(String version) throws IOException, InterruptedException {
    return Shell.run(LIMIT,
        List.of(ItPaths.itDir().resolve("classpath.sh").toString(), "daemon", version)).strip();
  }
}
