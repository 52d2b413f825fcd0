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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.plugin.PluginCalls;
import org.hdfsppr.client.spread.DataNodeMover;
import org.hdfsppr.client.spread.MoveEnd;
import org.hdfsppr.client.spread.SpreadRun;
import org.hdfsppr.client.spread.SpreadTally;
import org.hdfsppr.client.text.CoreText;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.wire.PeerText;

/** Moves blocks of columns that are together on a DataNode, and says what was done. */
@InterfaceAudience.Private
final class CoreSpread {
  private static final long PROGRESS_MS = TimeUnit.SECONDS.toMillis(10);
  /**
   * An answer takes the NameNode some two milliseconds under its lock for reading, so that the run
   * has it for a few percent of the time.
   */
  private static final long PAUSE_MS = 50;

  private final Configuration conf;
  private final Surroundings surroundings;
  private final ToolOutput output;
  private long saidMs;

  /** @param conf names the cluster as the default file system */
  CoreSpread(Configuration conf, Surroundings surroundings, ToolOutput output) {
    this.conf = conf;
    this.surroundings = surroundings;
    this.output = output;
  }

  /**
   * Looks at the columns of a directory, and moves what has to move.
   *
   * @param path the directory; null for all
   * @throws IOException if the NameNode refuses this, or does not answer
   */
  ExitCode run(PluginCalls calls, String path) throws IOException {
    saidMs = surroundings.clock.millis();
    SpreadTally tally;
    try (DataNodeMover mover = DataNodeMover.open(conf);
        SpreadRun run = new SpreadRun(
            from -> calls.call(plugin -> plugin.planSpread(path, from)), mover,
            () -> TimeUnit.MILLISECONDS.sleep(PAUSE_MS), this::show)) {
      tally = run.run();
    }
    if (output.isJson) {
      output.object(json(tally));
    } else {
      summary(tally);
    }
    return tally.isDone() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private void show(MoveEnd end, SpreadTally soFar) {
    end.failure().ifPresent(failure -> {
      if (output.isJson) {
        output.object(json(end, PeerText.firstLine(failure)));
      } else {
        output.sentence("CORE group " + end.move.coreGroup + ", block group "
            + end.move.index + ", unit " + end.move.unit + ": NOT MOVED: "
            + end.move + ": " + PeerText.firstLine(failure));
      }
    });
    long nowMs = surroundings.clock.millis();
    if (!output.isJson && nowMs - saidMs >= PROGRESS_MS) {
      saidMs = nowMs;
      output.sentence(Quantities.count(soFar.columns(), "column") + " looked at, "
          + Quantities.count(soFar.moved(), "block") + " moved so far");
    }
  }

  private static Map<String, Object> json(MoveEnd end, String why) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("core_group", end.move.coreGroup);
    one.put("index", end.move.index);
    one.put("unit", end.move.unit);
    one.put("block", end.move.block().getBlockName());
    one.put("from", end.move.from().getXferAddr());
    one.put("to", end.move.to().getXferAddr());
    one.put("failure", why);
    return one;
  }

  private static Map<String, Object> json(SpreadTally tally) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("version", 1);
    all.put("done", tally.isDone());
    all.put("columns", tally.columns());
    all.put("columns_together", tally.together());
    all.put("blocks_moved", tally.moved());
    all.put("bytes_moved", tally.movedBytes());
    all.put("blocks_failed", tally.failed());
    all.put("columns_staying", tally.staying());
    return all;
  }

  private void summary(SpreadTally tally) {
    output.sentence(Quantities.count(tally.columns(), "column") + ": " + tally.together()
        + " with two blocks on one DataNode; " + Quantities.count(tally.moved(), "block")
        + " moved, " + Quantities.size(tally.movedBytes()) + ", " + tally.failed()
        + " could not be moved");
    tally.staying().forEach((reason, columns) ->
        output.sentence("    " + Quantities.count(columns, "column")
            + (columns == 1 ? " stays: " : " stay: ") + CoreText.words(reason)));
  }
}
