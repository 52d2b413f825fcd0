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
package org.hdfsppr.namenode.extend;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.FilesKeys;

/**
 * The service type by which a second jar adds its parts to the plugin of a NameNode. There is at
 * most one provider.
 */
@InterfaceAudience.Private
public interface NameNodeExtension {
  /** Adds nothing, and warns of settings that have no effect without a second jar. */
  NameNodeExtension NONE = conf -> {
    FilesKeys.warnNameNode(conf);
    return base -> NameNodeParts.NONE;
  };

  /**
   * Reads the settings of the parts. The plugin calls this before it changes anything in the
   * NameNode.
   *
   * @param conf the NameNode's configuration
   * @return the settings, from which the parts can be made
   * @throws IOException if the parts cannot run here; the plugin then does not start
   * @throws IllegalArgumentException if a setting makes no sense; the message names the setting,
   *     and the plugin does not start
   */
  Setup read(Configuration conf) throws IOException;

  /** The settings that were read for one start of the plugin. */
  @FunctionalInterface
  interface Setup {
    /**
     * Makes the parts. None of them runs a thread before {@link NameNodeParts#start}.
     *
     * @param base what the parts may use of the repair manager
     * @return the parts
     */
    NameNodeParts open(NameNodeBase base);
  }
}
