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

import java.util.Locale;


/** How the JVMs of DataNodes run in a measurement. */
enum NodeJvm {
  /** As in all clusters of this module: a small heap, and the first compiler only. */
  SMALL(""),
  /** As in production: with both compilers, and a heap that is seldom collected. */
  USUAL("-XX:TieredStopAtLevel=4 -Xmx512m -XX:ReservedCodeCacheSize=128m");

  final String options;

  NodeJvm(String options) {
    this.options = options;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
