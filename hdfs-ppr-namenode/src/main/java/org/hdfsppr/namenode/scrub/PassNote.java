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
package org.hdfsppr.namenode.scrub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * The progress of the passes over a path: of the present one, and of the last one that ended.
 * Immutable. Stored as a JSON object in an extended attribute of the path:
 *
 * <pre>
 * {"version":1, "pass":3, "started":"2026-01-02T03:04:05Z", "cursor":"/ec/b/part-17",
 *  "groups":12, "checked":11, "contradictions":0, "not_checked":1, "bytes":1234,
 *  "last":{"finished":"2025-12-26T00:00:00Z", "groups":..., ...}}
 * </pre>
 *
 * {@code started} is absent between two passes, {@code cursor} before the first file of a pass is
 * done, {@code last} before the first pass has ended. A reader skips fields that it does not know.
 */
final class PassNote {
  /** Nothing has been checked yet. */
  static final PassNote NONE = new PassNote(0, null, null, ScrubCounts.NONE, null, null,
      ScrubCounts.NONE);
  static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The number of the pass that is under way or was the last one, from 1. */
  final long pass;
  /** When the present pass began; null if none is under way. */
  final Instant started;
  /** The path of the last file that is done; null before the first one. */
  final String cursor;
  /** What was found in the files that are done in the present pass. */
  final ScrubCounts counts;
  /** When the last whole pass began; null if there was none. */
  final Instant lastStarted;
  /** When the last whole pass ended; null if there was none. */
  final Instant lastFinished;
  /** What the last whole pass has found. */
  final ScrubCounts last;

  private PassNote(long pass, Instant started, String cursor, ScrubCounts counts,
      Instant lastStarted, Instant lastFinished, ScrubCounts last) {
    this.pass = pass;
    this.started = started;
    this.cursor = cursor;
    this.counts = counts;
    this.lastStarted = lastStarted;
    this.lastFinished = lastFinished;
    this.last = last;
  }

  /** Begins the next pass. */
  PassNote begun(Instant now) {
    return new PassNote(pass + 1, now, null, ScrubCounts.NONE, lastStarted, lastFinished, last);
  }

  /** Takes note of finished files: the path of the last one, and what was found in all of them. */
  PassNote advanced(String file, ScrubCounts more) {
    return new PassNote(pass, started, file, counts.plus(more), lastStarted, lastFinished, last);
  }

  /** Ends the pass. */
  PassNote finished(Instant now) {
    return new PassNote(pass, null, null, ScrubCounts.NONE, started, now, counts);
  }

  /** Returns whether a pass has begun and has not ended. */
  boolean isUnderWay() {
    return started != null;
  }

  byte[] toBytes() {
    ObjectNode object = JSON.createObjectNode();
    object.put("version", VERSION);
    object.put("pass", pass);
    if (started != null) {
      object.put("started", started.toString());
      object.put("cursor", cursor);
      put(object, counts);
    }
    if (lastFinished != null) {
      ObjectNode before = object.putObject("last");
      before.put("started", lastStarted.toString());
      before.put("finished", lastFinished.toString());
      put(before, last);
    }
    try {
      return JSON.writeValueAsBytes(object);
    } catch (IOException e) {
      throw new IllegalStateException("The note of a pass cannot be written", e);
    }
  }

  private static void put(ObjectNode object, ScrubCounts counts) {
    object.put("groups", counts.groups);
    object.put("checked", counts.checked);
    object.put("contradictions", counts.contradictions);
    object.put("not_checked", counts.notChecked);
    object.put("bytes", counts.bytes);
  }

  /**
   * Reads a note.
   *
   * @throws IOException if the text is no note, or is one of a newer version that this version
   *     cannot read; the message says which
   */
  static PassNote parse(byte[] text) throws IOException {
    JsonNode object;
    try {
      object = JSON.readTree(text);
    } catch (StackOverflowError e) {
      throw new IOException("it is nested too deeply for a note of a pass", e);
    }
    if (object == null || !object.isObject() || !object.path("version").isInt()) {
      throw new IOException("it is no note of a pass");
    }
    if (object.path("version").intValue() > VERSION) {
      throw new IOException("it has the version " + object.path("version").intValue()
          + ", and this software knows versions up to " + VERSION);
    }
    try {
      JsonNode before = object.path("last");
      Instant finished = time(before, "finished");
      Instant began = time(before, "started");
      return new PassNote(object.path("pass").asLong(0), time(object, "started"),
          object.path("cursor").textValue(), counts(object),
          began == null ? finished : began, finished, counts(before));
    } catch (DateTimeException e) {
      throw new IOException("a time in it cannot be read: " + e.getMessage(), e);
    }
  }

  private static Instant time(JsonNode object, String field) {
    String text = object.path(field).textValue();
    return text == null ? null : Instant.parse(text);
  }

  private static ScrubCounts counts(JsonNode object) {
    return new ScrubCounts(object.path("groups").asLong(0), object.path("checked").asLong(0),
        object.path("contradictions").asLong(0), object.path("not_checked").asLong(0),
        object.path("bytes").asLong(0));
  }

  @Override
  public String toString() {
    return "pass " + pass + (isUnderWay() ? " since " + started + ", behind " + cursor + ", "
        + counts : ", last finished " + lastFinished);
  }
}
