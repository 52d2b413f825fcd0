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
package org.hdfsppr.bench.update;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;


/**
 * Reads a block trace in the format of the MSR Cambridge traces: a request in each line, with
 * timestamp, host, disk, type, offset, size and response time, and commas between. It reads line by
 * line, so that a trace may be larger than the memory.
 */
final class MsrTrace {
  /** Requests of block traces have some MiB at most: a larger number stands in a wrong column. */
  static final long REQUEST_BYTES_MAX = 1L << 30;
  /** Byte numbers of a volume stay far below the largest number, so that sums do not overflow. */
  static final long OFFSET_MAX = 1L << 60;

  private static final String COLUMNS = "timestamp,host,disk,type,offset,size,response time";
  private static final List<String> NUMBERED =
      List.of("timestamp", "", "", "", "offset", "size", "response time");
  private static final int TYPE = 3;
  private static final int OFFSET = 4;
  private static final int SIZE = 5;

  private MsrTrace() {
  }

  /**
   * Reads all requests.
   *
   * @param file the trace
   * @param requests takes the requests, in their order
   * @throws IllegalArgumentException if a line is not a request, or if there is none; the message
   *     has the number of the line
   * @throws IOException if the file cannot be read
   */
  static void read(Path file, Consumer<TraceRequest> requests) throws IOException {
    long number = 0;
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        requests.accept(parse(file, number, line));
      }
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException(file + " is not a text file after line " + number
          + "; unpack a compressed trace first", e);
    }
    if (number == 0) {
      throw new IllegalArgumentException(file + " is empty; a trace has a request in each line: "
          + COLUMNS);
    }
  }

  private static TraceRequest parse(Path file, long number, String line) {
    String where = file + ", line " + number + ": ";
    String[] fields = line.split(",", -1);
    if (fields.length != NUMBERED.size()) {
      throw new IllegalArgumentException(where + "'" + line + "' has " + fields.length
          + " columns, not " + NUMBERED.size() + ": " + COLUMNS
          + (line.isBlank() ? "; take the empty line out" : ""));
    }
    long[] numbers = new long[fields.length];
    for (int i = 0; i < fields.length; i++) {
      if (!NUMBERED.get(i).isEmpty()) {
        numbers[i] = number(where, NUMBERED.get(i), fields[i]);
      }
    }
    boolean isWrite = fields[TYPE].equals("Write");
    if (!isWrite && !fields[TYPE].equals("Read")) {
      throw new IllegalArgumentException(where + "type is '" + fields[TYPE]
          + "', and has to be Read or Write");
    }
    if (numbers[OFFSET] > OFFSET_MAX) {
      throw new IllegalArgumentException(where + "offset is " + numbers[OFFSET] + ", and at most "
          + OFFSET_MAX + ": are the columns " + COLUMNS + "?");
    }
    if (numbers[SIZE] < 1 || numbers[SIZE] > REQUEST_BYTES_MAX) {
      throw new IllegalArgumentException(where + "size is " + numbers[SIZE]
          + ", and has to be 1 to " + REQUEST_BYTES_MAX + " bytes: are the columns " + COLUMNS
          + "?");
    }
    return new TraceRequest(isWrite, numbers[OFFSET], numbers[SIZE]);
  }

  private static long number(String where, String column, String text) {
    try {
      if (text.matches("\\d+")) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(where + column + " is '" + text
          + "', which is more than a number of 64 bits", e);
    }
    throw new IllegalArgumentException(where + column + " is '" + text
        + "', and has to be a whole number from 0: are the columns " + COLUMNS + "?");
  }
}
