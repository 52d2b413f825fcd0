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
package org.hdfsppr.it.demo;

import java.util.Map;


/** The worker that rebuilds lost units in the demo. */
enum Worker {

  /**
   * Hadoop's own worker. The setting names Hadoop's raw coder. Otherwise the project's coder could
   * run, because the project's jar is on the class path.
   */
  STOCK("stock", Map.of("io.erasurecode.codec.rs.rawcoders", "rs_java")),

  PLUGIN("plugin", Map.of(
      "dfs.datanode.plugins", "org.hdfsppr.datanode.PprDataNodePlugin",
      // The DataNodes of this JVM share one address, so each binds a free port.
      "dfs.datanode.ppr.address", "127.0.0.1:0"));

  final String label;
  /** The settings of the DataNodes. */
  final Map<String, String> settings;

  Worker(String label, Map<String, String> settings) {
    this.label = label;
    this.settings = settings;
  }
}
