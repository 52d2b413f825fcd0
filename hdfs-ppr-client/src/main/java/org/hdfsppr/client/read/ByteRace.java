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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Two ways to the same bytes: from the DataNode that holds them, and rebuilt from others. Each way
 * is taken once at most. The first way that has the bytes wins; the race fails when no way is left
 * that may still have them. Thread-safe.
 */
@InterfaceAudience.Private
final class ByteRace {
  private final CompletableFuture<ByteBuffer> bytes = new CompletableFuture<>();
  private boolean directBegun;
  private boolean rebuildBegun;
  /** Ways that are being tried. */
  private int open;
  private IOException failure;

  /** Enters the direct way. @return whether it was free to take */
  synchronized boolean beginDirect() {
    if (directBegun || bytes.isDone()) {
      return false;
    }
    directBegun = true;
    open++;
    return true;
  }

  /** Enters the way of rebuilding. @return whether it was free to take */
  synchronized boolean beginRebuild() {
    if (rebuildBegun) {
      return false;
    }
    rebuildBegun = true;
    open++;
    return true;
  }

  /** Whether nothing was rebuilt. */
  synchronized boolean isDirectOnly() {
    return !rebuildBegun;
  }

  /** @return whether this way has won */
  boolean won(ByteBuffer with) {
    return bytes.complete(with);
  }

  /** Whether the bytes are there, or cannot be had. */
  boolean isOver() {
    return bytes.isDone();
  }

  /**
   * Notes why a way has failed. The reason that bytes must not be trusted goes before all others:
   * no reader may then try to get them in another way.
   */
  synchronized void note(IOException why) {
    if (failure == null) {
      failure = why;
    } else if (why instanceof UntrustedBytesException
        && !(failure instanceof UntrustedBytesException)) {
      why.addSuppressed(failure);
      failure = why;
    } else if (failure != why) {
      failure.addSuppressed(why);
    }
  }

  /** One way has failed; the race has failed when no other way is being tried. */
  void lost(IOException why) {
    boolean isLast;
    synchronized (this) {
      note(why);
      open--;
      isLast = open == 0;
    }
    if (isLast) {
      bytes.completeExceptionally(failure);
    }
  }

  /** Ends the race at once, as after an error; what other ways find does not count any more. */
  void abort(IOException why) {
    bytes.completeExceptionally(why);
  }

  /** Why no other way may be tried, if a way has found that out. */
  synchronized Optional<UntrustedBytesException> doubt() {
    return failure instanceof UntrustedBytesException
        ? Optional.of((UntrustedBytesException) failure) : Optional.empty();
  }

  /** The bytes of the way that wins. */
  Future<ByteBuffer> bytes() {
    return bytes;
  }
}
