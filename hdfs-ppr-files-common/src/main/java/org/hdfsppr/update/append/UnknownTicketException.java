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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * A request names a ticket by a number under which the DataNode does not remember it. The caller
 * sends the request again over another connection, with the ticket itself.
 */
@InterfaceAudience.Private
public final class UnknownTicketException extends MalformedRequestException {
  private static final long serialVersionUID = 1L;

  /** @param message says which number the request has named */
  public UnknownTicketException(String message) {
    super(message);
  }
}
