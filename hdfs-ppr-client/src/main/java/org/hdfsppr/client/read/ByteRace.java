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
 * A race between two ways to get the same bytes: reading them from the DataNode that holds them
 * (the direct way), and rebuilding them from other DataNodes. Each way is tried at most once. The
 * first way that gets the bytes wins. The race fails when all ways that were begun have failed.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class ByteRace {
  private final CompletableFuture<ByteBuffer> bytes = new CompletableFuture<>();
  private boolean directBegun;
  private boolean rebuildBegun;
  /** The number of ways that are under way. */
  private int open;
  private IOException failure;

  /**
   * Begins the direct way.
   *
   * @return whether the caller may go on; false if the direct way was begun before or the race is
   *     over
   */
  synchronized boolean beginDirect() {
    if (directBegun || bytes.isDone()) {
      return false;
    }
    directBegun = true;
    open++;
    return true;
  }

  /**
   * Begins the rebuild.
   *
   * @return whether the caller may go on; false if the rebuild was begun before
   */
  synchronized boolean beginRebuild() {
    if (rebuildBegun) {
      return false;
    }
    rebuildBegun = true;
    open++;
    return true;
  }

  /** Whether no rebuild was begun. */
  synchronized boolean isDirectOnly() {
    return !rebuildBegun;
  }

  /** @return whether the caller's way has won; false if the race was over before */
  boolean won(ByteBuffer with) {
    return bytes.complete(with);
  }

  /** Whether the race has ended, with the bytes or with a failure. */
  boolean isOver() {
    return bytes.isDone();
  }

  /**
   * Notes why a way has failed. If one of the reasons is that bytes must not be trusted, that
   * reason becomes the failure of the race, because no reader may then try to get the bytes in
   * another way.
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

  /** Notes that one way has failed. If no other way is being tried, the race fails. */
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

  /**
   * Ends the race with a failure at once, for example after an error. Bytes that other ways get
   * later are ignored.
   */
  void abort(IOException why) {
    bytes.completeExceptionally(why);
  }

  /** The reason why no other way may be tried; empty if there is no such reason. */
  synchronized Optional<UntrustedBytesException> doubt() {
    return failure instanceof UntrustedBytesException
        ? Optional.of((UntrustedBytesException) failure) : Optional.empty();
  }

  /** The bytes from the way that wins, or the failure of the race. */
  Future<ByteBuffer> bytes() {
    return bytes;
  }
}
