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
package org.hdfsppr.client.nbd;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Checks requests before the server carries them out. A request that passes lies within the device,
 * and is short enough that the server can have its bytes in memory. Immutable.
 */
@InterfaceAudience.Private
public final class NbdRequestRules {
  private final NbdExport export;
  private final boolean isStructured;

  /**
   * @param export the device
   * @param isStructured whether the client has asked for structured replies
   */
  public NbdRequestRules(NbdExport export, boolean isStructured) {
    this.export = export;
    this.isStructured = isStructured;
  }

  /**
   * Checks a request.
   *
   * @param request a request of any type except a disconnect
   * @return the error if the request has to be refused; empty if it is valid
   */
  public Optional<NbdError> refusal(NbdRequest request) {
    NbdRequestType type = request.type;
    if (type == NbdRequestType.UNKNOWN || (request.flags & ~flags(type)) != 0) {
      return Optional.of(NbdError.INVALID);
    }
    if (type == NbdRequestType.FLUSH) {
      return request.offset == 0 && request.length == 0 ? Optional.empty()
          : Optional.of(NbdError.INVALID);
    }
    if (type.isChange() && export.isReadOnly) {
      return Optional.of(NbdError.NOT_PERMITTED);
    }
    if (request.length == 0) {
      return Optional.of(NbdError.INVALID);
    }
    boolean hasBytes = type == NbdRequestType.READ || type == NbdRequestType.WRITE;
    if (hasBytes && request.length > NbdExport.REQUEST_BYTES_MOST) {
      return Optional.of(request.isWhole() ? NbdError.OVERFLOW : NbdError.INVALID);
    }
    if (request.offset < 0 || request.offset > export.size - request.length) {
      // ENOSPC would be wrong for a trim, which needs no space.
      return Optional.of(type == NbdRequestType.WRITE || type == NbdRequestType.WRITE_ZEROES
          ? NbdError.NO_SPACE : NbdError.INVALID);
    }
    return Optional.empty();
  }

  /**
   * Returns the flags that a request of a type may have. All types may have FUA, because clients
   * set it on requests of any type.
   */
  private int flags(NbdRequestType type) {
    switch (type) {
      case READ:
        return NbdRequest.DURABLE | (isStructured ? NbdRequest.WHOLE : 0);
      case WRITE_ZEROES:
        return NbdRequest.DURABLE | NbdRequest.NO_HOLE | NbdRequest.FAST_ONLY;
      default:
        return NbdRequest.DURABLE;
    }
  }
}
