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
package org.apache.hadoop.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.hdfsppr.loader.HadoopLoader;

/**
 * Does for users of {@link FileContext} what {@link org.apache.hadoop.hdfs.PprFileSystem} does for
 * users of {@code FileSystem}. Users set {@code fs.AbstractFileSystem.hdfs.impl} to this class.
 */
@InterfaceAudience.Public
public class PprHdfs extends Hdfs {
  /**
   * {@link AbstractFileSystem} calls a constructor with this signature by reflection.
   *
   * @param theUri the URI of an HDFS
   * @throws IOException also if another class loader than Hadoop's has loaded this class, because
   *     this class could then not call its superclass's package-private members
   */
  PprHdfs(URI theUri, Configuration conf) throws IOException, URISyntaxException {
    super(checkLoader(theUri), conf);
    this.dfs.close();
    this.dfs = new PprDFSClient(theUri, conf, getStatistics());
  }

  /**
   * Checks this class's loader before the superclass's constructor runs, because that constructor
   * would fail without naming the reason.
   */
  private static URI checkLoader(URI theUri) throws IOException {
    HadoopLoader.checkClient(PprHdfs.class, Hdfs.class);
    return theUri;
  }
}
