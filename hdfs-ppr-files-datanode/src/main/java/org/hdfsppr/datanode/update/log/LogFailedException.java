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
package org.hdfsppr.datanode.update.log;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The log is closed, or its disk has failed in such a way that it is unknown what is on it. Until
 * the log is opened anew, it takes no records and confirms no syncs.
 */
@InterfaceAudience.Private
public final class LogFailedException extends UpdateLogException {
  private static final long serialVersionUID = 1L;

  LogFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
