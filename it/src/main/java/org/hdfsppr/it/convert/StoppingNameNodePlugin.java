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
package org.hdfsppr.it.convert;

import java.nio.file.Path;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.hdfsppr.namenode.version.VersionHooks;

/**
 * The NameNode's plugin with {@link PointStops}. Tests name it in {@code dfs.namenode.plugins}; its
 * jar is on the class path of NameNodes only if they do.
 */
@InterfaceAudience.Private
public final class StoppingNameNodePlugin extends PprNameNodePlugin {

  @Override
  public synchronized void start(Object daemon) {
    String folder = ((NameNode) daemon).getConf().get(PointStops.FOLDER_KEY);
    if (folder == null) {
      throw new IllegalArgumentException(PointStops.FOLDER_KEY + " is not set");
    }
    VersionHooks.set(new PointStops(Path.of(folder)));
    super.start(daemon);
  }
}
