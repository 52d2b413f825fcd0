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
package org.hdfsppr.operate;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The calls with which users' commands convert files. A caller that got no answer may repeat every
 * call.
 */
@InterfaceAudience.Private
public interface ConversionProtocol {
  /**
   * Begins a conversion. If the caller has already begun a job with this id, the call begins
   * nothing and returns the status of that job.
   *
   * @param request the job
   * @return the status of the job. A restart or a failover of the NameNode does not lose the job
   * @throws IOException if the job is refused; the message says why and what helps
   */
  ConversionStatus submitConversion(ConversionRequest request) throws IOException;

  /**
   * Returns the status of jobs. Only the owner of a job and superusers get its paths, its failures
   * and its user.
   *
   * @param jobId the job; null for all
   * @return the jobs; first those that have not ended, then the others, the latest first
   * @throws IOException if there is no such job, or the NameNode does not answer now
   */
  List<ConversionStatus> conversions(String jobId) throws IOException;

  /**
   * Pauses, resumes or cancels a job. Only the owner of the job and superusers may do that. If the
   * job is already in the state that the action leads to, it stays as it is.
   *
   * @param jobId the job
   * @param action what is to be done
   * @return the status of the job afterwards
   * @throws IOException if there is no such job, if it has ended, or if the caller may not do that
   */
  ConversionStatus steerConversion(String jobId, ConversionAction action) throws IOException;
}
