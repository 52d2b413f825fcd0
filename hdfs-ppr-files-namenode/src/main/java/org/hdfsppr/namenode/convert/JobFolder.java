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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** A place that keeps a text for each job, also when the NameNode restarts. */
@InterfaceAudience.Private
public interface JobFolder {
  /**
   * Lists the jobs. Makes the folder if there is none.
   *
   * @return the ids of all jobs
   * @throws IOException if the NameNode does not answer now, or if other users can get into the
   *     folder
   */
  List<String> ids() throws IOException;

  /**
   * @param id the id of a job
   * @return its text; empty if there is no such job, or if the NameNode stopped before the text was
   *     written
   * @throws IOException if the NameNode does not answer now
   */
  Optional<byte[]> read(String id) throws IOException;

  /**
   * Adds a job. When this method returns, the text is durable.
   *
   * @param id the id of the new job
   * @param text its text
   * @return whether it was added; false if there is already a job with this id, which stays as it
   *     is
   * @throws IOException if the NameNode refuses it
   */
  boolean add(String id, byte[] text) throws IOException;

  /**
   * Replaces the text of a job, if it is still the one that the caller has read.
   *
   * @param id the id of a job that is in the folder
   * @param before the text that the caller has read
   * @param text the new text
   * @return whether it was replaced; false if another writer has replaced it since
   * @throws IOException if the NameNode refuses it, or if the job is gone
   */
  boolean replace(String id, byte[] before, byte[] text) throws IOException;

  /**
   * Removes a job. Does nothing if it is not there.
   *
   * @param id the id of the job
   * @throws IOException if the NameNode refuses it
   */
  void remove(String id) throws IOException;
}
