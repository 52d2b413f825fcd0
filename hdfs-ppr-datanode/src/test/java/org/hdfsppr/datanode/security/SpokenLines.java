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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.slf4j.LoggerFactory;

/** Records the lines of some loggers, at the levels that operators have on. */
@InterfaceAudience.Private
final class SpokenLines implements AutoCloseable {
  private final List<LogCapturer> logs = new ArrayList<>();

  private SpokenLines() {
  }

  /** @param classes the classes whose loggers are meant */
  static SpokenLines of(Class<?>... classes) {
    SpokenLines lines = new SpokenLines();
    for (Class<?> one : classes) {
      lines.logs.add(LogCapturer.captureLogs(LoggerFactory.getLogger(one)));
    }
    return lines;
  }

  private List<String> with(String word) {
    return logs.stream().flatMap(log -> log.getOutput().lines())
        .filter(line -> line.contains(word) && !line.contains("DEBUG"))
        .collect(Collectors.toList());
  }

  void assertAtMost(int most, String word) {
    List<String> found = with(word);
    assertTrue(found.size() <= most, found.size() + " lines with '" + word + "', at most " + most
        + " are due: " + found);
  }

  @Override
  public void close() {
    logs.forEach(LogCapturer::stopCapturing);
  }
}
