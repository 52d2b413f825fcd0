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
package org.hdfsppr.client.formation;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * A job that finds which files of a protected directory can form CORE groups, and submits these
 * groups to the NameNode.
 */
@InterfaceAudience.Private
public interface GroupJob {
  /**
   * Runs the job until all groups are submitted.
   *
   * @param conf the client's configuration
   * @param terms the directory, and the rules by which its groups are formed
   * @return what was found and submitted
   * @throws IOException if the job has failed; the NameNode forms the groups that were submitted
   *     before
   */
  GroupJobResult run(Configuration conf, SubmissionTerms terms) throws IOException;
}
