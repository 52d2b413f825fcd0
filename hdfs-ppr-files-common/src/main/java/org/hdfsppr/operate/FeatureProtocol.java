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
package org.hdfsppr.operate;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/** What NameNodes ask each other's plugins. */
@InterfaceAudience.Private
public interface FeatureProtocol {
  /** The plugin knows directories of versions that lie in shards. 0.2.0 does not. */
  String VERSION_SHARDS = "version-shards";

  /**
   * A standby answers this, too.
   *
   * @return what the plugin knows that not all releases do, in words
   * @throws IOException if the plugin does not answer, or is older than this call
   */
  Set<String> features() throws IOException;
}
