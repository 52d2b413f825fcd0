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
package org.hdfsppr.datanode.metrics;

import org.apache.hadoop.classification.InterfaceAudience;

/** The reasons why a helper refuses a request. */
@InterfaceAudience.Private
public enum HelperRejection {
  /** The block token is missing, expired or for another block. */
  ACCESS_TOKEN("AccessToken"),
  /** The helper already serves as many requests as it may, or it has too little memory left. */
  OVERLOADED("Overloaded"),
  /**
   * The helper cannot read the request, or the request asks for something that no helper can do.
   */
  MALFORMED("Malformed"),
  /** The DataNode has no finalised replica with that generation stamp. */
  NO_SUCH_BLOCK("NoSuchBlock"),
  /** The replica does not match its checksums. */
  CORRUPT("Corrupt"),
  /** The caller or a child took too long. */
  TIMEOUT("Timeout"),
  /** The plugin is stopping. */
  STOPPING("Stopping"),
  /** Another cause, which the log names. */
  OTHER("Other");

  final String metricName;

  HelperRejection(String metricName) {
    this.metricName = metricName;
  }
}
