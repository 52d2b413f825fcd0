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
package org.hdfsppr.bench;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.EcCode;

/** The modes of the benchmark: the client that reads, and whether a node is down. */
enum DegradedMode {
  HEALTHY("healthy", ReadClient.STOCK, true),
  /**
   * Reads with the project's client while all nodes are up. Its result should equal that of
   * {@link #HEALTHY}.
   */
  HEALTHY_AUTO("healthy-auto", ReadClient.AUTO, true),
  STOCK("stock", ReadClient.STOCK, false),
  OFF("off", ReadClient.OFF, false),
  AUTO("auto", ReadClient.AUTO, false),
  /** As auto, but with the client of another version; see {@code --other-jar}. */
  OTHER("other", ReadClient.AUTO, false),
  PPR("ppr", ReadClient.PPR, false),
  CHAIN("chain", ReadClient.CHAIN, false);

  final String label;
  final ReadClient client;
  /** True if all nodes are up while this mode is measured. */
  final boolean healthy;

  DegradedMode(String label, ReadClient client, boolean healthy) {
    this.label = label;
    this.client = client;
    this.healthy = healthy;
  }

  /** Finds a mode by its label, such as {@code healthy-auto}. */
  static DegradedMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(mode -> mode.label).collect(Collectors.joining(", "))));
  }

  /**
   * Returns whether the client needs the project's jar. A stock client needs the jar only to read
   * files with the project's codecs.
   */
  boolean needsJar(EcCode code) {
    return client.isOurs() || code.isOwnCodec();
  }

  String describe() {
    return (healthy ? "all nodes up, " : "one node down, ")
        + (client.isOurs() ? client.settings() : "Hadoop's client");
  }
}
