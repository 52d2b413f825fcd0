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
import org.hdfsppr.client.read.ColumnSource;
import org.hdfsppr.client.read.ReadContext;

/**
 * Adds to a client what it needs for CORE groups and for updates of files. The jar of
 * hdfs-ppr-files-client provides one implementation, as a service; a client without that jar has
 * none. All clients of a JVM share the implementation. Thread-safe.
 */
@InterfaceAudience.Private
public interface ClientExtension {
  /**
   * Makes the object through which one client finds columns of CORE groups.
   *
   * @param conf the client's configuration
   * @param nameNode the URI of the file system
   * @param user the user of the client
   * @param nanoClock the client's clock, nanoseconds
   * @return finds columns
   * @throws IOException if the object cannot be made
   */
  ColumnSource columns(Configuration conf, URI nameNode, UserGroupInformation user,
      LongSupplier nanoClock) throws IOException;

  /**
   * Makes the object through which one client updates files and reads their updates.
   *
   * @param client the client; it is not complete yet, and is used only after this call
   * @param nameNode the URI of the file system
   * @param context the state that all streams of the client share
   * @param statistics of the file system; null if it has none
   * @return the object, which the client closes
   * @throws IOException if the object cannot be made
   */
  StreamUpdates updates(DFSClient client, URI nameNode, ReadContext context,
      FileSystem.Statistics statistics) throws IOException;
}
