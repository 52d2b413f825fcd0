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
package org.hdfsppr.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What clients have written into a file and read from it, with times, and whether that is one
 * history. The file is a row of words of 8 bytes. Each update writes its own number into all of its
 * words, so that a read shows of each word which update wrote it last. Thread-safe.
 */
final class UpdateHistory {
  static final int WORD = Long.BYTES;
  private static final long NEVER = Long.MAX_VALUE;

  /** An update of a row of words. */
  static final class Update {
    private final long number;
    private final int first;
    private final int words;
    private final long begun;
    private volatile long acknowledged = NEVER;

    private Update(long number, int first, int words, long begun) {
      this.number = number;
      this.first = first;
      this.words = words;
      this.begun = begun;
    }

    long position() {
      return (long) first * WORD;
    }

    /** Returns the bytes that the update writes. */
    byte[] bytes() {
      ByteBuffer bytes = ByteBuffer.allocate(words * WORD);
      for (int i = 0; i < words; i++) {
        bytes.putLong(number);
      }
      return bytes.array();
    }

    private boolean has(int word) {
      return word >= first && word < first + words;
    }
  }

  private final long[] committed;
  private final AtomicLong clock = new AtomicLong();
  private final Map<Long, Update> updates = new HashMap<>();
  private final List<List<Update>> ofWords = new ArrayList<>();
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

  /** @param content the file before all updates; a whole number of words */
  UpdateHistory(byte[] content) {
    committed = new long[content.length / WORD];
    ByteBuffer.wrap(content).asLongBuffer().get(committed);
    for (int i = 0; i < committed.length; i++) {
      ofWords.add(new ArrayList<>());
    }
  }

  long now() {
    return clock.incrementAndGet();
  }

  int words() {
    return committed.length;
  }

  synchronized Update begin(int first, int words) {
    // No word of the committed version has a number like these, as it is checked below.
    Update update = new Update(updates.size() + 1, first, words, now());
    updates.put(update.number, update);
    for (int i = first; i < first + words; i++) {
      ofWords.get(i).add(update);
    }
    return update;
  }

  void acknowledge(List<Update> done) {
    long now = now();
    done.forEach(update -> update.acknowledged = now);
  }

  /**
   * Checks what a read has got.
   *
   * @param begun the time when the read began
   */
  void check(int first, byte[] read, long begun) {
    long[] words = new long[read.length / WORD];
    ByteBuffer.wrap(read).asLongBuffer().get(words);
    for (int i = 0; i < words.length; i++) {
      String flaw = flaw(first + i, words[i], begun);
      if (flaw != null) {
        wrong.add("word " + (first + i) + ": " + flaw);
        return;
      }
    }
  }

  private synchronized String flaw(int word, long value, long begun) {
    Update read = updates.get(value);
    long since = 0;
    if (read == null) {
      if (value != committed[word]) {
        return "has the value " + value + ", which was never written";
      }
    } else if (!read.has(word)) {
      return "has the value of update " + value + ", which is for other words";
    } else {
      since = read.acknowledged;
    }
    for (Update other : ofWords.get(word)) {
      // This one began after the one that was read had ended, and ended before the read began.
      if (other != read && other.begun > since && other.acknowledged < begun) {
        return "has the value of " + (read == null ? "no update" : "update " + value)
            + ", although update " + other.number + " was acknowledged before the read";
      }
    }
    return null;
  }

  List<String> wrong() {
    return wrong;
  }

  /** Returns how many updates were acknowledged. */
  synchronized long acknowledged() {
    return updates.values().stream().filter(update -> update.acknowledged != NEVER).count();
  }
}
