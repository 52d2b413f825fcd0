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
package org.hdfsppr.it.read;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;

/**
 * The clients with which tests and benchmarks read. A client is either Hadoop's own or the
 * project's with one mode of degraded reads.
 */
@InterfaceAudience.Private
public enum ReadClient {
  /** Hadoop's own client. */
  STOCK("stock", null),
  /** The project's client without degraded reads through trees. */
  OFF("off", "off"),
  /** The project's client with its default settings. */
  AUTO("auto", "auto"),
  /** The project's client with degraded reads through binomial trees. */
  PPR("ppr", "ppr"),
  /** The project's client with degraded reads through chains. */
  CHAIN("chain", "chain");

  private static final String OUR_FILE_SYSTEM = "org.apache.hadoop.hdfs.PprFileSystem";
  private static final String DEGRADED_READ_KEY = "dfs.client.ppr.degraded-read";

  public final String label;
  private final String degradedRead;

  ReadClient(String label, String degradedRead) {
    this.label = label;
    this.degradedRead = degradedRead;
  }

  /**
   * Finds a client by its label, such as {@code chain}.
   *
   * @param label the label that the user has written
   * @return the client
   */
  public static ReadClient parse(String label) {
    return Arrays.stream(values()).filter(client -> client.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a client; there "
            + "are " + Arrays.stream(values()).map(client -> client.label)
            .collect(Collectors.joining(", "))));
  }

  /** {@return whether the client's class path needs the project's drop-in jar} */
  public boolean isOurs() {
    return degradedRead != null;
  }

  /** {@return the settings that this client needs in addition to the cluster's settings} */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    if (isOurs()) {
      settings.put("fs.hdfs.impl", OUR_FILE_SYSTEM);
      settings.put(DEGRADED_READ_KEY, degradedRead);
    }
    return settings;
  }

  /**
   * Puts the {@link #settings} into a configuration.
   *
   * @param conf the configuration that gets the settings
   * @return {@code conf}
   */
  public Configuration applyTo(Configuration conf) {
    settings().forEach(conf::set);
    return conf;
  }
}
