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
package org.hdfsppr.operate;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The state of a conversion job. A new job is queued. Its state then changes only as this table
 * allows:
 *
 * <pre>
 * queued  -> running, paused, failed, cancelled
 * running -> paused, done, failed, cancelled
 * paused  -> queued, cancelled
 * </pre>
 *
 * A job that was running before a restart or a failover of the NameNode is running afterwards as
 * well.
 */
@InterfaceAudience.Private
public enum ConversionState {
  /** Waits until other jobs have ended. */
  QUEUED(1),
  /** Converts files. */
  RUNNING(2),
  /** Begins no more files, until a user resumes it. */
  PAUSED(3),
  /** The job has looked at all files. It may have refused some of them. */
  DONE(4),
  /** The job could not go on. */
  FAILED(5),
  /** A user has cancelled the job. */
  CANCELLED(6);

  /** The number of the state in messages */
  public final int number;

  ConversionState(int number) {
    this.number = number;
  }

  /** @return the name of the state in lower case, as in documents and job records */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @return whether the job stays in this state for ever */
  public boolean isEnd() {
    return next().isEmpty();
  }

  /**
   * @param next another state
   * @return whether a job may go from this state to that one
   */
  public boolean mayBecome(ConversionState next) {
    return next().contains(next);
  }

  private Set<ConversionState> next() {
    switch (this) {
      case QUEUED:
        return EnumSet.of(RUNNING, PAUSED, FAILED, CANCELLED);
      case RUNNING:
        return EnumSet.of(PAUSED, DONE, FAILED, CANCELLED);
      case PAUSED:
        return EnumSet.of(QUEUED, CANCELLED);
      default:
        return EnumSet.noneOf(ConversionState.class);
    }
  }

  /**
   * @param number the number of a state in a message
   * @return the state
   * @throws IllegalArgumentException if there is no such state
   */
  public static ConversionState ofNumber(int number) {
    for (ConversionState state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    throw new IllegalArgumentException("state " + number + " is unknown");
  }

  /**
   * @param word the name of a state
   * @return the state
   * @throws IllegalArgumentException if there is no such state
   */
  public static ConversionState ofWord(String word) {
    for (ConversionState state : values()) {
      if (state.word().equals(word)) {
        return state;
      }
    }
    throw new IllegalArgumentException("state '" + word + "' is unknown");
  }
}
