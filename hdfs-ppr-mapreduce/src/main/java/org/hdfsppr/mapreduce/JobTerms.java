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
package org.hdfsppr.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Writes into the job's configuration what its tasks need to know from the NameNode, and reads it.
 */
final class JobTerms {
  private static final String KEY = "hdfs.ppr.core.terms";

  private JobTerms() {
  }

  static void set(Configuration conf, SubmissionTerms terms) {
    conf.set(KEY, terms.toText());
  }

  static SubmissionTerms of(Configuration conf) throws IOException {
    return SubmissionTerms.parse(conf.get(KEY, ""));
  }
}
