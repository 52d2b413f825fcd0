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

/**
 * Makes hard links of replicas' files. Tests use an implementation that fails, or that stops the
 * DataNode between two steps.
 */
@InterfaceAudience.Private
public interface LinkFiles {
  /** Makes hard links in the file system. */
  LinkFiles OF_SYSTEM = new LinkFiles() {
    @Override
    public void link(Path link, Path existing) throws IOException {
      Files.createLink(link, existing);
    }

    @Override
    public void done(LinkStep step) {
      // Only the implementations of tests use this.
    }
  };

  /**
   * Makes a hard link.
   *
   * @param link the new name
   * @param existing the file, which gets a second name
   * @throws IOException as {@link Files#createLink} does
   * @throws UnsupportedOperationException if the file system has no hard links
   */
  void link(Path link, Path existing) throws IOException;

  /**
   * Is called after each step of a link, so that tests can fail or stop there.
   *
   * @param step the step
   * @throws IOException if the link has to fail after this step
   */
  void done(LinkStep step) throws IOException;
}
