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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The lines that were added to a log since this object was made. */
final class LogTail {
  private final Path log;
  private final long start;

  private LogTail(Path log, long start) {
    this.log = log;
    this.start = start;
  }

  static LogTail from(Path log) throws IOException {
    return new LogTail(log, Files.exists(log) ? Files.size(log) : 0);
  }

  /** Returns the new lines that contain a match of the pattern. */
  List<String> find(String pattern) throws IOException {
    Pattern wanted = Pattern.compile(pattern);
    return lines().stream().filter(line -> wanted.matcher(line).find())
        .collect(Collectors.toList());
  }

  private List<String> lines() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] fresh = new byte[Math.toIntExact(file.length() - start)];
      file.seek(start);
      file.readFully(fresh);
      return List.of(new String(fresh, StandardCharsets.UTF_8).split("\n"));
    }
  }
}
