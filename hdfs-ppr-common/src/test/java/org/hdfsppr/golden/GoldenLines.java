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
package org.hdfsppr.golden;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.record.RecordedText;

/** Lines that are recorded as they are, such as names and numbers that peers rely on. */
@InterfaceAudience.Private
public final class GoldenLines {
  private GoldenLines() {
  }

  /** Compares lines with a file below {@code golden}, or writes it. */
  public static void check(String name, List<String> lines) throws IOException {
    RecordedText.compare(Golden.directory().resolve(name),
        lines.stream().map(line -> line + "\n").collect(Collectors.joining()),
        "peers would see something else");
  }
}
