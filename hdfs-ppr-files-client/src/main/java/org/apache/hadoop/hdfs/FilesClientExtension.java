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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginColumns;
import org.hdfsppr.client.files.column.ColumnCache;
import org.hdfsppr.client.read.ColumnSource;
import org.hdfsppr.client.read.ReadContext;

/** Adds CORE groups and updates to clients. */
@InterfaceAudience.Private
public final class FilesClientExtension implements ClientExtension {
  @Override
  public ColumnSource columns(Configuration conf, URI nameNode, UserGroupInformation user,
      LongSupplier nanoClock) {
    return new ColumnCache(new PluginColumns(conf, nameNode, user), nanoClock);
  }

  @Override
  public StreamUpdates updates(DFSClient client, URI nameNode, ReadContext context,
      FileSystem.Statistics statistics) throws IOException {
    return new UpdatesOfClient(client, nameNode, context, statistics);
  }
}
