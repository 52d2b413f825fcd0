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

import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionFailure;

/**
 * The result of one file of a job: the counts to add to the job's, and perhaps a failure.
 * Immutable.
 */
final class FileResult {
  final ConversionCounts counts;
  /** Why the file was not converted; null if it was, or if users need not know why. */
  final ConversionFailure failure;

  FileResult(ConversionCounts counts, ConversionFailure failure) {
    this.counts = counts;
    this.failure = failure;
  }
}
