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

/** The calls of users' commands that convert files. Every call may be repeated. */
@InterfaceAudience.Private
public interface ConversionProtocol {
  /**
   * Begins a conversion. If the caller has begun a job of this id already, nothing is begun, and
   * the answer is that job.
   *
   * @param request the job
   * @return the job, which is durable when the call returns
   * @throws IOException if the job is refused; the message says why and what helps
   */
  ConversionStatus submitConversion(ConversionRequest request) throws IOException;

  /**
   * Asks for jobs. Paths, failures and the user of a job are only for its owner and superusers.
   *
   * @param jobId the job; null for all
   * @return the jobs: those that have not ended first, then the latest
   * @throws IOException if there is no such job, or the NameNode does not answer now
   */
  List<ConversionStatus> conversions(String jobId) throws IOException;

  /**
   * Pauses, resumes or cancels a job. Only the owner of the job and superusers may do that. A job
   * that is in the wanted state already stays as it is.
   *
   * @param jobId the job
   * @param action what is to be done
   * @return the job after that
   * @throws IOException if there is no such job, if it has ended, or if the caller may not do that
   */
  ConversionStatus steerConversion(String jobId, ConversionAction action) throws IOException;
}
