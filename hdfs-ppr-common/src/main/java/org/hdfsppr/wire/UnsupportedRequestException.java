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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A request is well-formed, but this node cannot serve it. It needs a feature that this version
 * lacks, or demands more memory than any repair of this version needs.
 */
@InterfaceAudience.Private
public class UnsupportedRequestException extends MalformedRequestException {
  private static final long serialVersionUID = 1L;

  /** @param message the feature that this version lacks, or the limit that the request exceeds */
  public UnsupportedRequestException(String message) {
    super(message);
  }
}
