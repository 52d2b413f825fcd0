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
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.device.BlockDevice;
import org.hdfsppr.client.device.DeviceFullException;
import org.hdfsppr.client.nbd.NbdError;
import org.hdfsppr.client.nbd.NbdRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out requests on the device. Thread-safe. */
final class RequestRunner {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /** How many bytes are made zero in one step. */
  private static final long ZERO_STEP_BYTES = 8 << 20;
  /** How many causes of an exception are examined at most; the chain of causes may be a circle. */
  private static final int CAUSES_MOST = 10;

  /** Why a request was not carried out. */
  static final class Failure {
    final NbdError error;
    final String text;

    Failure(NbdError error, String text) {
      this.error = error;
      this.text = text;
    }
  }

  private final BlockDevice device;

  RequestRunner(BlockDevice device) {
    this.device = device;
  }

  /**
   * Returns the steps of a request that {@link org.hdfsppr.client.nbd.NbdRequestRules} has not
   * refused.
   *
   * @param request what a client wants
   * @param data for a write, its bytes; for a read, a buffer of the same length that takes the
   *     bytes; empty for other requests
   * @return the steps, of which none is done yet
   */
  Steps begin(NbdRequest request, ByteBuffer data) {
    return new Steps(request, data);
  }

  /**
   * The steps in which one request is carried out. Making many bytes zero takes many steps, so that
   * other requests get turns between them. Used by one thread at a time.
   */
  final class Steps {
    final NbdRequest request;
    final ByteBuffer data;
    /** How many bytes were made zero so far. */
    private long done;
    private Failure failure;

    private Steps(NbdRequest request, ByteBuffer data) {
      this.request = request;
      this.data = data;
    }

    /** Returns why the request was not carried out; empty if it was. */
    Optional<Failure> failure() {
      return Optional.ofNullable(failure);
    }

    /** Carries out the next step. Returns whether it was the last one. */
    boolean next() {
      try {
        return step();
      } catch (IOException | RuntimeException | LinkageError | AssertionError
          | VirtualMachineError e) {
        PEER_LOG.warn(request.type + e.getClass().getName(),
            "A client of the block device gets an error for a {}: {}", request,
            PeerText.oneLine(e.toString()), e);
        failure = new Failure(error(e), PeerText.firstLine(e));
        return true;
      }
    }

    private boolean step() throws IOException {
      switch (request.type) {
        case READ:
          ByteBuffer into = data.duplicate();
          device.read(request.offset, into);
          if (into.hasRemaining()) {
            throw new IOException("The device has read " + into.remaining() + " bytes too few");
          }
          return true;
        case WRITE:
          device.write(request.offset, data);
          break;
        case FLUSH:
          device.flush();
          return true;
        case TRIM:
        case WRITE_ZEROES:
          if (request.isFastOnly() && !device.isZeroFast()) {
            failure = new Failure(NbdError.NOT_SUPPORTED, "Zeroes are written as other bytes are");
            return true;
          }
          long part = Math.min(request.length - done, ZERO_STEP_BYTES);
          device.zero(request.offset + done, part);
          done += part;
          if (done < request.length) {
            return false;
          }
          break;
        default:
          throw new IllegalArgumentException("No request for a device: " + request.type);
      }
      if (request.isDurable()) {
        device.persist(request.offset, request.length);
      }
      return true;
    }
  }

  /**
   * Returns the error that a client gets for an exception. This looks at its causes, too, because
   * an exception of another thread is wrapped in one of the caller's.
   */
  private static NbdError error(Throwable e) {
    Throwable cause = e;
    for (int depth = 0; cause != null && depth < CAUSES_MOST; depth++) {
      if (cause instanceof DeviceFullException) {
        return NbdError.NO_SPACE;
      }
      if (cause instanceof AccessControlException) {
        return NbdError.NOT_PERMITTED;
      }
      cause = cause.getCause();
    }
    return NbdError.IO;
  }
}
