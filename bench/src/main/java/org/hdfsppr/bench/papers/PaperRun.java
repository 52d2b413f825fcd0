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

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;


/** One command line of a benchmark. Immutable. */
final class PaperRun {
  private static final int HASH_CHARS = 10;
  private static final String SEED = "--seed";

  final String paper;
  final String definition;
  final PaperScope scope;
  final String label;
  final List<String> command;
  final Map<String, String> variables;
  final double expectedSeconds;

  /**
   * @param label names the run and what varies, for people
   * @param command the arguments of {@code bench.sh}, without {@code --json}
   * @param variables what was put into the command line
   * @param expectedSeconds how long it took where the data file was written
   */
  PaperRun(String paper, String definition, PaperScope scope, String label, List<String> command,
      Map<String, String> variables, double expectedSeconds) {
    this.paper = paper;
    this.definition = definition;
    this.scope = scope;
    this.label = label;
    this.command = List.copyOf(command);
    this.variables = Map.copyOf(variables);
    this.expectedSeconds = expectedSeconds;
  }

  /** {@return the seed in the command line; empty if the benchmark draws nothing} */
  Optional<String> seed() {
    for (int i = 0; i < command.size(); i++) {
      if (command.get(i).startsWith(SEED + "=")) {
        return Optional.of(command.get(i).substring(SEED.length() + 1));
      }
      if (command.get(i).equals(SEED) && i + 1 < command.size()) {
        return Optional.of(command.get(i + 1));
      }
    }
    return Optional.empty();
  }

  /**
   * {@return a name for files} Runs with different command lines have different names. The label is
   * no part of it: it says what varies, so that a value more in the data file changes it.
   */
  String fileName() {
    return paper + "." + definition + "." + hash();
  }

  private String hash() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256")
          .digest(String.join("\0", command).getBytes(StandardCharsets.UTF_8));
      StringBuilder hex = new StringBuilder();
      for (byte b : digest) {
        hex.append(String.format("%02x", b));
      }
      return hex.substring(0, HASH_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
