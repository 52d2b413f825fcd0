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
package org.hdfsppr.client.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What clients have written into a file and read from it, with times, and whether that is one
 * history. The file is a row of words of 8 bytes. Each update writes its own number into all of its
 * words, so that a read shows of each word which update wrote it last. What a read has seen was
 * written, also if nobody has acknowledged it: later reads may not lose it again. Thread-safe.
 */
public final class UpdateHistory {
  /** The bytes of a word. */
  public static final int WORD = Long.BYTES;
  private static final long NEVER = Long.MAX_VALUE;

  /** An update of a row of words. */
  public static final class Update {
    private final long number;
    private final int first;
    private final int words;
    private final long begun;
    private volatile long acknowledged = NEVER;
    /** By word, when the first read that saw the update ended; null before any. */
    private long[] seen;
    /** By word, when the latest read that saw the update began, and when it ended. */
    private long[] readBegun;
    private long[] readEnded;

    private Update(long number, int first, int words, long begun) {
      this.number = number;
      this.first = first;
      this.words = words;
      this.begun = begun;
    }

    /** @return where in the file it begins */
    public long position() {
      return (long) first * WORD;
    }

    /** @return the bytes that the update writes */
    public byte[] bytes() {
      ByteBuffer bytes = ByteBuffer.allocate(words * WORD);
      for (int i = 0; i < words; i++) {
        bytes.putLong(number);
      }
      return bytes.array();
    }

    private boolean has(int word) {
      return word >= first && word < first + words;
    }

    /** Returns when a word certainly had the value. */
    private long written(int word) {
      return seen == null ? acknowledged : Math.min(acknowledged, seen[word - first]);
    }

    private void read(int word, long begun, long ended) {
      if (seen == null) {
        seen = new long[words];
        Arrays.fill(seen, NEVER);
        readBegun = new long[words];
        readEnded = new long[words];
      }
      int index = word - first;
      seen[index] = Math.min(seen[index], ended);
      if (begun > readBegun[index]) {
        readBegun[index] = begun;
        readEnded[index] = ended;
      }
    }

    /** Returns whether a read that began after a time and ended before another saw the word. */
    private boolean isReadBetween(int word, long after, long before) {
      return readBegun != null && readBegun[word - first] > after
          && readEnded[word - first] < before;
    }
  }

  private final long[] committed;
  private final AtomicLong clock = new AtomicLong();
  private final Map<Long, Update> updates = new HashMap<>();
  private final List<List<Update>> ofWords = new ArrayList<>();
  /** What reads have got that no history has */
  public final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

  /** @param content the file before all updates; a whole number of words */
  public UpdateHistory(byte[] content) {
    committed = new long[content.length / WORD];
    ByteBuffer.wrap(content).asLongBuffer().get(committed);
    for (int i = 0; i < committed.length; i++) {
      ofWords.add(new ArrayList<>());
    }
  }

  /** @return the present time, which no other call returns */
  public long now() {
    return clock.incrementAndGet();
  }

  /** @return how many words the file has */
  public int words() {
    return committed.length;
  }

  /**
   * Begins an update, before anything of it is sent.
   *
   * @param first the first word
   * @param words how many words
   * @return the update
   */
  public synchronized Update begin(int first, int words) {
    // No word of the committed version has a number like these, as it is checked below.
    Update update = new Update(updates.size() + 1, first, words, now());
    updates.put(update.number, update);
    for (int i = first; i < first + words; i++) {
      ofWords.get(i).add(update);
    }
    return update;
  }

  /** @param done updates that were acknowledged just now */
  public void acknowledge(List<Update> done) {
    long now = now();
    done.forEach(update -> update.acknowledged = now);
  }

  /**
   * Checks what a read has got that ends now.
   *
   * @param first the first word
   * @param read the bytes
   * @param begun the time when the read began
   */
  public void check(int first, byte[] read, long begun) {
    long ended = now();
    long[] words = new long[read.length / WORD];
    ByteBuffer.wrap(read).asLongBuffer().get(words);
    for (int i = 0; i < words.length; i++) {
      String flaw = flaw(first + i, words[i], begun, ended);
      if (flaw != null) {
        wrong.add("word " + (first + i) + ": " + flaw);
        return;
      }
    }
  }

  private synchronized String flaw(int word, long value, long begun, long ended) {
    Update read = updates.get(value);
    long since = 0;
    if (read == null) {
      if (value != committed[word]) {
        return "has the value " + value + ", which was never written";
      }
    } else if (!read.has(word)) {
      return "has the value of update " + value + ", which is for other words";
    } else {
      since = read.written(word);
    }
    for (Update other : ofWords.get(word)) {
      if (other == read) {
        continue;
      }
      // This one began after the one that was read had ended, and ended before the read began.
      if (other.begun > since && other.written(word) < begun) {
        return although(read, other) + (other.acknowledged < begun ? " was acknowledged"
            : " was seen") + " before the read";
      }
      // An earlier read has seen this one in the place of the one that was read.
      if (other.isReadBetween(word, since, begun)) {
        return although(read, other) + " was seen over it before the read";
      }
    }
    if (read != null) {
      read.read(word, begun, ended);
    }
    return null;
  }

  private static String although(Update read, Update other) {
    return "has the value of " + (read == null ? "no update" : "update " + read.number)
        + ", although update " + other.number;
  }

  /** @return how many updates were acknowledged */
  public synchronized long acknowledged() {
    return updates.values().stream().filter(update -> update.acknowledged != NEVER).count();
  }
}
