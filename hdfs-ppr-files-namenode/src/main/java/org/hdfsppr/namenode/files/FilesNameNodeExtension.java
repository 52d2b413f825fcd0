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
package org.hdfsppr.namenode.files;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.namenode.extend.NameNodeExtension;
import org.hdfsppr.namenode.update.TicketSettings;

/** Adds versions of files, conversions, CORE groups and updates to a NameNode's plugin. */
@InterfaceAudience.Private
public final class FilesNameNodeExtension implements NameNodeExtension {
  @Override
  public Setup read(Configuration conf) {
    return read(conf, TicketSettings.of(conf));
  }

  /**
   * Like {@link #read(Configuration)}, with other settings of updates, for tests.
   *
   * @param conf the NameNode's configuration
   * @param tickets the settings of updates in place
   * @return a function that makes the parts with these settings
   */
  public Setup read(Configuration conf, TicketSettings tickets) {
    FilesNameNodeParts.Settings settings = new FilesNameNodeParts.Settings(conf, tickets);
    return base -> new FilesNameNodeParts(settings, base);
  }
}
