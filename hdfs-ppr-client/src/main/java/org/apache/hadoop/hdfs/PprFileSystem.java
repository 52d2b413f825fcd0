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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.loader.HadoopLoader;

/**
 * An HDFS client that reads erasure-coded files fast while units are lost. Users set {@code
 * fs.hdfs.impl} to this class. In all other respects this class behaves like {@link
 * DistributedFileSystem}.
 */
@InterfaceAudience.Public
public class PprFileSystem extends DistributedFileSystem {
  /**
   * @throws IOException also if another class loader than Hadoop's has loaded this class, because
   *     {@link #initDFSClient} would then override nothing, and files would be read as stock reads
   *     them
   */
  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    HadoopLoader.checkClient(PprFileSystem.class, DistributedFileSystem.class);
    super.initialize(uri, conf);
  }

  @Override
  void initDFSClient(URI theUri, Configuration conf) throws IOException {
    this.dfs = new PprDFSClient(theUri, conf, statistics);
  }

  /**
   * Opens a closed erasure-coded file to write into it in place. This needs {@code
   * dfs.client.ppr.updates} and WRITE on the file, and a directory above it that was made updatable
   * ({@code hdfs ppr -updatable}).
   *
   * @param file the file
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  public FileUpdater openForUpdate(Path file) throws IOException {
    checkPath(file);
    return ((PprDFSClient) dfs).openForUpdate(makeQualified(file).toUri().getPath());
  }

  /**
   * Refuses to go on if the server of this file system is a Router of Hadoop's federation.
   *
   * @param what what does not work through a Router; part of the exception's message
   * @throws IOException if the server is a Router, or if no server answers
   */
  @InterfaceAudience.Private
  public void checkNoRouter(String what) throws IOException {
    ((PprDFSClient) dfs).checkNoRouter(what);
  }

  /**
   * Returns whether this client sees updates, and a file may have some.
   *
   * @param file the file
   * @return whether its bytes may change in place
   * @throws IOException if the NameNode does not answer
   */
  @InterfaceAudience.Private
  public boolean isUpdatable(Path file) throws IOException {
    checkPath(file);
    return ((PprDFSClient) dfs).isUpdatable(makeQualified(file).toUri().getPath());
  }

  /**
   * Opens a closed file to write into it in place, from many threads at the same time.
   *
   * @param file the file
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  @InterfaceAudience.Private
  public SharedUpdater openForSharedUpdate(Path file) throws IOException {
    checkPath(file);
    return ((PprDFSClient) dfs).openForSharedUpdate(makeQualified(file).toUri().getPath());
  }
}
