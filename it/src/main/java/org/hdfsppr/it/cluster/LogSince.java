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
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;
import java.util.function.Predicate;

import org.apache.hadoop.classification.InterfaceAudience;

/** Searches the lines that a daemon has logged since the call of {@link #now}. */
@InterfaceAudience.Private
public final class LogSince {

  /** The format of log4j's ISO8601 time stamps. The daemons log in UTC. */
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int TIMESTAMP_LENGTH = "yyyy-MM-dd HH:mm:ss,SSS".length();

  private final Path log;
  private final long offset;

  private LogSince(Path log, long offset) {
    this.log = log;
    this.offset = offset;
  }

  /**
   * Remembers the present length of the log. {@link #firstMs} ignores all lines before that.
   *
   * @param log the file
   * @return the part of the log that is written after this call
   * @throws IOException if the log cannot be read
   */
  public static LogSince now(Path log) throws IOException {
    return new LogSince(log, Files.exists(log) ? Files.size(log) : 0);
  }

  /**
   * {@return the time of the first line that {@code wanted} accepts, in milliseconds of the epoch;
   * empty if there is no such line}
   *
   * @param wanted accepts the lines to look for
   * @throws IOException if the log cannot be read
   */
  public OptionalLong firstMs(Predicate<String> wanted) throws IOException {
    if (!Files.exists(log)) {
      return OptionalLong.empty();
    }
    for (String line : lines()) {
      if (wanted.test(line)) {
        return OptionalLong.of(
            LocalDateTime.parse(line.substring(0, TIMESTAMP_LENGTH), TIMESTAMP)
                .toInstant(ZoneOffset.UTC).toEpochMilli());
      }
    }
    return OptionalLong.empty();
  }

  private String[] lines() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] fresh = new byte[Math.toIntExact(file.length() - offset)];
      file.seek(offset);
      file.readFully(fresh);
      return new String(fresh, StandardCharsets.UTF_8).split("\n");
    }
  }
}
