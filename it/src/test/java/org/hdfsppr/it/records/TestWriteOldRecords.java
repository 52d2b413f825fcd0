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
package org.hdfsppr.it.records;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Has an older release write what it keeps, as test data for the modules that read it. {@code
 * -Dold.jars} names the folder with the three drop-in jars of the release, {@code -Dold.records}
 * the folder that gets the files.
 */
@Tag("process")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "old.jars", matches = ".+")
@EnabledIfSystemProperty(named = "old.records", matches = ".+")
class TestWriteOldRecords {
  private static final Path LOG = Path.of("target", "write-old-records.log");

  @Test
  void anOlderReleaseWritesWhatItKeeps() throws IOException, InterruptedException {
    Path folder = Path.of(System.getProperty("old.records"));
    List<String> classPath = new ArrayList<>(List.of("target/test-classes"));
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("old.jars")))) {
      jars.filter(jar -> jar.toString().endsWith("-dropin.jar")).sorted()
          .forEach(jar -> classPath.add(jar.toString()));
    }
    for (String one : System.getProperty("java.class.path").split(":")) {
      if (!one.contains("hdfs-ppr") && !one.endsWith("classes")) {
        classPath.add(one);
      }
    }
    Process process = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx900m",
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "-cp", String.join(":", classPath),
        WriteOldRecords.class.getName(), folder.toString()).redirectErrorStream(true)
        .redirectOutput(LOG.toFile()).start();
    try {
      assertEquals(0, process.waitFor(), "what an older release writes; see " + LOG);
    } finally {
      process.destroyForcibly();
    }
  }
}
