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
package org.hdfsppr.client.plugin;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Names the jar that adds conversions, CORE groups and updates to a client. Messages of a client
 * without this jar name it when they refuse such a command.
 */
@InterfaceAudience.Private
public final class FilesJar {
  /** The file name of the jar, such as {@code hdfs-ppr-files-client-1.2.3-dropin.jar} */
  public static final String NAME = "hdfs-ppr-files-client-" + version() + "-dropin.jar";
  /** How the jar gets onto a host */
  public static final String REMEDY =
      "'hdfs-ppr-install --role client --with-files' puts it in";

  private FilesJar() {
  }

  private static String version() {
    String version = FilesJar.class.getPackage().getImplementationVersion();
    return version == null ? "VERSION" : version;
  }
}
