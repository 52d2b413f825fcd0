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
package org.hdfsppr.it.bench;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.EcCode;

/** Which client reads, and whether a node is down. */
@InterfaceAudience.Private
enum DegradedMode {
  HEALTHY("healthy", ReadClient.STOCK, true),
  /** Shows that our client costs nothing where nothing is lost. */
  HEALTHY_AUTO("healthy-auto", ReadClient.AUTO, true),
  STOCK("stock", ReadClient.STOCK, false),
  OFF("off", ReadClient.OFF, false),
  AUTO("auto", ReadClient.AUTO, false),
  /** Shows what the adaptive choice earns, beside {@link #AUTO}. */
  SIMPLE("simple", ReadClient.SIMPLE, false),
  PPR("ppr", ReadClient.PPR, false),
  CHAIN("chain", ReadClient.CHAIN, false);

  private final String label;
  private final ReadClient client;
  private final boolean healthy;

  DegradedMode(String label, ReadClient client, boolean healthy) {
    this.label = label;
    this.client = client;
    this.healthy = healthy;
  }

  /** Finds a mode by its label, as in {@code healthy-auto}. */
  static DegradedMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(mode -> mode.label).collect(Collectors.joining(", "))));
  }

  String label() {
    return label;
  }

  ReadClient client() {
    return client;
  }

  /** Whether all nodes are up. */
  boolean isHealthy() {
    return healthy;
  }

  /** Whether our jar is on the client's class path: a stock client has it for our codecs only. */
  boolean needsJar(EcCode code) {
    return client.isOurs() || code.isOwnCodec();
  }

  String describe() {
    return (healthy ? "all nodes up, " : "one node down, ")
        + (client.isOurs() ? client.settings() : "Hadoop's client");
  }
}
