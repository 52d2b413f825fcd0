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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.classification.InterfaceAudience;

/** Links files. Tests put an implementation in between that fails, or stops the DataNode. */
@InterfaceAudience.Private
public interface LinkFiles {
  /** Links files as the file system does. */
  LinkFiles OF_SYSTEM = new LinkFiles() {
    @Override
    public void link(Path link, Path existing) throws IOException {
      Files.createLink(link, existing);
    }

    @Override
    public void done(LinkStep step) {
      // Only tests want to know.
    }
  };

  /**
   * Makes a hard link.
   *
   * @param link the new name
   * @param existing the file
   * @throws IOException as {@link Files#createLink} does
   * @throws UnsupportedOperationException if the file system has no links
   */
  void link(Path link, Path existing) throws IOException;

  /**
   * Is called after each step.
   *
   * @param step the step
   * @throws IOException to end the link here
   */
  void done(LinkStep step) throws IOException;
}
