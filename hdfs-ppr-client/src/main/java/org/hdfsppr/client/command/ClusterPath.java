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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** Paths that a user names, as the NameNode of the default file system wants them. */
@InterfaceAudience.Private
final class ClusterPath {
  private ClusterPath() {
  }

  /**
   * @param text what the user has written
   * @param command the command, for the sentence of a refusal
   * @return the absolute path
   * @throws IllegalArgumentException if it is no path of the default file system; the message is a
   *     sentence for people
   * @throws IOException if the user is not known
   */
  static String absolute(String text, Configuration conf, String command) throws IOException {
    URI own = FileSystem.getDefaultUri(conf);
    if (text.startsWith("-")) {
      throw new IllegalArgumentException("'" + text + "' is neither an option nor a path");
    }
    Path path = new Path(text);
    URI uri = path.toUri();
    if (uri.getScheme() != null && !uri.getScheme().equals(own.getScheme())
        || uri.getAuthority() != null && !uri.getAuthority().equals(own.getAuthority())) {
      throw new IllegalArgumentException("'" + text + "' is not in " + own + ", which is the"
          + " default file system; choose another one with '" + command
          + "' on a host of that cluster");
    }
    return path.isUriPathAbsolute() ? uri.getPath() : new Path("/user/"
        + UserGroupInformation.getCurrentUser().getShortUserName(), path).toUri().getPath();
  }
}
