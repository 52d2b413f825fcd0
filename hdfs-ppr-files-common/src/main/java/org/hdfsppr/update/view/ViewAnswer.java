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
package org.hdfsppr.update.view;

import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UpdateStatus;

/** The answer to a {@link ViewRequest}, with its data. Immutable. */
@InterfaceAudience.Private
public final class ViewAnswer {
  /**
   * How many pieces an answer lists at most. If there are more, the answer has a mask with a bit
   * for each byte of the range instead.
   */
  static final int LISTED_MAX = 2048;
  /** How many terms of {@link #bases} an answer lists at most. */
  static final int TERMS_MAX = 64;

  /** How the request ended */
  public final UpdateStatus status;
  /** The reason why the request was not done; empty if it was done */
  public final String message;
  /** The term of the leader; 0 if the request was refused */
  public final long term;
  /** The number of the last update in the unit's history when the leader's term began */
  public final long base;
  /**
   * The leader's term and the latest terms before it, as far as each term continued the history of
   * the one before. The value of a term is the number of the last update in the history when the
   * term began; empty if the leader does not say it
   */
  public final NavigableMap<Long, Long> bases;
  /**
   * The pieces of the range that updates have written, in ascending order, all as they were at one
   * moment
   */
  public final List<ViewPiece> pieces;
  /** The bytes of the pieces, one after the other; not copied */
  public final byte[] data;

  ViewAnswer(UpdateStatus status, String message, long term, long base,
      NavigableMap<Long, Long> bases, List<ViewPiece> pieces, byte[] data) {
    this.bases = Collections.unmodifiableNavigableMap(new TreeMap<>(bases));
    this.base = base;
    this.status = Objects.requireNonNull(status, "status");
    this.message = Objects.requireNonNull(message, "message");
    this.term = term;
    this.pieces = List.copyOf(pieces);
    this.data = Objects.requireNonNull(data, "data");
  }

  /**
   * @param term the term of the leader
   * @param base the number of the last update in the unit's history when the leader's term began
   * @param pieces the pieces of the range that updates have written, in ascending order
   * @param data the bytes of the pieces, one after the other; not copied
   * @return the answer
   */
  public static ViewAnswer done(long term, long base, List<ViewPiece> pieces, byte[] data) {
    return done(term, base, Collections.emptyNavigableMap(), pieces, data);
  }

  /**
   * Makes an answer that also says with which update earlier terms began.
   *
   * @param term the term of the leader
   * @param base the number of the last update in the unit's history when the leader's term began
   * @param bases see {@link #bases}
   * @param pieces the pieces of the range that updates have written, in ascending order
   * @param data the bytes of the pieces, one after the other; not copied
   * @return the answer
   */
  public static ViewAnswer done(long term, long base, NavigableMap<Long, Long> bases,
      List<ViewPiece> pieces, byte[] data) {
    return new ViewAnswer(UpdateStatus.DONE, "", term, base, bases, pieces, data);
  }

  /**
   * @param status how the request ended
   * @param message the reason, for the caller's log
   * @return the answer
   */
  public static ViewAnswer refused(UpdateStatus status, String message) {
    return new ViewAnswer(status, message, 0, 0, Collections.emptyNavigableMap(), List.of(),
        new byte[0]);
  }

  /** @return whether the request was done */
  public boolean isDone() {
    return status == UpdateStatus.DONE;
  }

  @Override
  public String toString() {
    return status + (message.isEmpty() ? "" : ": " + message);
  }
}
