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

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** The state of the checks in the background, for operators' pages. Immutable. */
@InterfaceAudience.Private
public final class ScrubStatus {
  /** No checks are configured. */
  public static final ScrubStatus OFF = new ScrubStatus(State.OFF,
      "dfs.namenode.ppr.scrub.bytes.per-second is 0", 0, Collections.emptyList(),
      Collections.emptyList(), 0);

  /** What the scrubber does. */
  public enum State {
    /** Nothing is checked, by the settings. */
    OFF,
    /** Checks are due, and something else goes first, see {@link #why}. */
    WAITING,
    /** A pass is under way. */
    RUNNING,
    /** All passes have ended, and the next one is not due. */
    IDLE
  }

  /** The progress of the passes over one path. Immutable. */
  public static final class Directory {
    /** The path, as the settings have it */
    public final String path;
    private final PassNote note;
    /** What the present pass has found, or the last whole one if none is under way */
    public final ScrubCounts counts;

    Directory(String path, PassNote note, ScrubCounts counts) {
      this.path = path;
      this.note = note;
      this.counts = counts;
    }

    /** @return the number of the pass that is under way or was the last one, from 1 */
    public long pass() {
      return note.pass;
    }

    /** @return when the present pass began; null if none is under way */
    public Instant started() {
      return note.started;
    }

    /** @return when the last whole pass ended; null if there was none */
    public Instant lastFinished() {
      return note.lastFinished;
    }

    /** @return what the last whole pass has found */
    public ScrubCounts last() {
      return note.last;
    }
  }

  /** What the scrubber does */
  public final State state;
  /** Why the scrubber is in this state, as a sentence without a full stop */
  public final String why;
  /** How many bytes of units each DataNode may read for checks, bytes/s */
  public final long bytesPerSecond;
  /** How far the passes are, for each configured path */
  public final List<Directory> directories;
  /** Contradictions first, each kind from the latest to the oldest */
  public final List<Discovery> findings;
  /** How many findings there were since the start of this NameNode */
  public final long findingsTotal;

  ScrubStatus(State state, String why, long bytesPerSecond, List<Directory> directories,
      List<Discovery> findings, long findingsTotal) {
    this.state = Objects.requireNonNull(state, "state");
    this.why = Objects.requireNonNull(why, "why");
    this.bytesPerSecond = bytesPerSecond;
    this.directories = Collections.unmodifiableList(new ArrayList<>(directories));
    this.findings = findings;
    this.findingsTotal = findingsTotal;
  }
}
