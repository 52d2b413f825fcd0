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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;

/** Converts by {@code hdfs ppr -convert}. */
final class InPlaceConverter implements Converter {

  /** How long old versions stay. The benchmark waits until they are gone. */
  static final Duration GRACE = Duration.ofSeconds(30);

  /** A benchmark's files take minutes, also when they are many. */
  private static final Duration LIMIT = Duration.ofMinutes(60);

  private final HdfsProcessCluster cluster;
  private final List<String> options;

  InPlaceConverter(HdfsProcessCluster cluster, List<String> options) {
    this.cluster = cluster;
    this.options = options;
  }

  @Override
  public void convert(ConvertedFiles files, EcCode to) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("-convert", "-policy", to.policy(), "-wait",
        "-json", "-idle", "0", "-grace", GRACE.toSeconds() + "s"));
    command.addAll(options);
    command.add(files.folder.toUri().getPath());
    PprCommand.run(cluster, LIMIT, command);
  }

  @Override
  public void close() {
    // Each call is a process of its own.
  }
}
