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
package org.hdfsppr.client.nbd.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.device.BlockDevice;
import org.hdfsppr.client.device.DeviceFullException;
import org.hdfsppr.client.nbd.NbdError;
import org.hdfsppr.client.nbd.NbdRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what a request wants of the device, and says how it went. Thread-safe. */
@InterfaceAudience.Private
final class RequestRunner {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /** Why a request was not done. */
  static final class Failure {
    private final NbdError error;
    private final String text;

    Failure(NbdError error, String text) {
      this.error = error;
      this.text = text;
    }

    NbdError error() {
      return error;
    }

    String text() {
      return text;
    }
  }

  private final BlockDevice device;

  RequestRunner(BlockDevice device) {
    this.device = device;
  }

  /**
   * Does a request that has passed the door.
   *
   * @param request what a client wants
   * @param data the bytes of a write, or room for those of a read, which then are between position
   *     and limit; empty for other requests
   * @return why it was not done; empty if it was
   */
  Optional<Failure> run(NbdRequest request, ByteBuffer data) {
    try {
      return done(request, data);
    } catch (IOException | RuntimeException | LinkageError | AssertionError e) {
      PEER_LOG.warn(request.type() + e.getClass().getName(),
          "A client of the block device gets an error for a {}: {}", request,
          PeerText.oneLine(e.toString()), e);
      return Optional.of(new Failure(error(e), PeerText.firstLine(e)));
    }
  }

  private static NbdError error(Throwable e) {
    if (e instanceof DeviceFullException) {
      return NbdError.NO_SPACE;
    }
    return e instanceof AccessControlException ? NbdError.NOT_PERMITTED : NbdError.IO;
  }

  private Optional<Failure> done(NbdRequest request, ByteBuffer data) throws IOException {
    switch (request.type()) {
      case READ:
        ByteBuffer into = data.duplicate();
        device.read(request.offset(), into);
        if (into.hasRemaining()) {
          throw new IOException("The device has read " + into.remaining() + " bytes too few");
        }
        return Optional.empty();
      case WRITE:
        device.write(request.offset(), data);
        break;
      case FLUSH:
        device.flush();
        return Optional.empty();
      case TRIM:
      case WRITE_ZEROES:
        if (request.isFastOnly() && !device.isZeroFast()) {
          return Optional.of(new Failure(NbdError.NOT_SUPPORTED,
              "Zeroes are written as other bytes are"));
        }
        device.zero(request.offset(), request.length());
        break;
      default:
        throw new IllegalArgumentException("No request for a device: " + request.type());
    }
    if (request.isDurable()) {
      device.persist(request.offset(), request.length());
    }
    return Optional.empty();
  }
}
