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
package org.hdfsppr.bench.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.hdfsppr.it.util.ItPaths;
import org.hdfsppr.it.util.Shell;

/** The machine and the versions that a run is measured on. Immutable. */
final class MachineFacts {
  private static final double GIB = 1 << 30;
  private static final double KIB = 1 << 10;
  private static final String UNKNOWN = "unknown";

  private final Map<String, String> facts;

  /**
   * @param facts names and values, in the order in which the page has them
   */
  MachineFacts(Map<String, String> facts) {
    this.facts = new LinkedHashMap<>(facts);
  }

  /** {@return what this machine is} */
  static MachineFacts here() throws IOException, InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("version", ItPaths.version() + ", " + commit());
    facts.put("processor", line(Path.of("/proc/cpuinfo"), "model name") + ", "
        + Runtime.getRuntime().availableProcessors() + " cores");
    facts.put("memory", memory());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " "
        + System.getProperty("java.runtime.version"));
    return new MachineFacts(facts);
  }

  private static String commit() throws InterruptedException {
    String root = ItPaths.itDir().getParent().toString();
    try {
      return "commit " + Shell.run("git", "-C", root, "describe", "--always", "--dirty",
          "--exclude=*").strip();
    } catch (IOException e) {
      // A source tree from an archive has no history.
      return "no git history";
    }
  }

  private static String memory() throws IOException {
    String kib = line(Path.of("/proc/meminfo"), "MemTotal").replace(" kB", "");
    return kib.equals(UNKNOWN) ? kib
        : String.format(java.util.Locale.ROOT, "%.1f GiB", Long.parseLong(kib) * KIB / GIB);
  }

  private static String line(Path file, String name) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse(UNKNOWN);
  }

  Map<String, String> all() {
    return new LinkedHashMap<>(facts);
  }
}
