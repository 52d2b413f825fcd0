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

/** The call with which the plugin of a NameNode asks that of another NameNode what it supports. */
@InterfaceAudience.Private
public interface FeatureProtocol {
  /**
   * The plugin finds the directories of versions also in shards, which are directories between
   * {@code versions} and these. Version 0.2.0 does not.
   */
  String VERSION_SHARDS = "version-shards";
  /** The plugin reads records that are sealed, and seals them when they are finalized. */
  String SEALED_RECORDS = "sealed-records";

  /**
   * Returns the features of the plugin. Unlike other calls, the plugin of a standby NameNode
   * answers this one as well.
   *
   * @return the names of features that the plugin supports and that some release does not
   * @throws IOException if the plugin does not answer, or is older than this call
   */
  Set<String> features() throws IOException;
}
