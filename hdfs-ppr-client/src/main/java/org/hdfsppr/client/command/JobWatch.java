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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.plugin.PluginCalls;
import org.hdfsppr.client.text.ConversionJson;
import org.hdfsppr.client.text.ConversionText;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;

/**
 * Waits for the end of a conversion job, and shows how far it is: in one line on a terminal, one
 * line of JSON each two seconds for programs, and one line each half a minute where no terminal is.
 */
@InterfaceAudience.Private
final class JobWatch {
  private static final long EVERY_S = 2;
  private static final int POLLS_PER_LINE = 15;
  /** How many failures in a row end the command. Each takes as long as a failover may. */
  private static final int FAILURES_MAX = 10;
  /** Moves to the beginning of the line, and clears it. */
  private static final String REWRITE = "\r\033[K";
  /** Replicated files have no code that could be converted. */
  private static final String NOT_CODED = "replicated";

  private final PluginCalls calls;
  private final Surroundings surroundings;
  private final ToolOutput output;

  JobWatch(PluginCalls calls, Surroundings surroundings, ToolOutput output) {
    this.calls = calls;
    this.surroundings = surroundings;
    this.output = output;
  }

  /** Waits for the end, prints it, and returns whether all files have the policy. */
  ExitCode untilEnd(String id) throws IOException {
    boolean isTerminal = surroundings.screen.isTerminal() && !output.isJson;
    int failures = 0;
    for (int poll = 0;; poll++) {
      ConversionStatus job = null;
      try {
        job = calls.call(plugin -> plugin.conversions(id)).get(0);
        failures = 0;
      } catch (FileNotFoundException e) {
        throw e;
      } catch (IOException e) {
        // The job outlives NameNodes, and a NameNode that restarts is worth waiting for.
        failures++;
        if (failures >= FAILURES_MAX) {
          throw e;
        }
        output.complaint(e.getMessage());
      }
      if (job != null && job.state.isEnd()) {
        if (isTerminal) {
          output.lines(REWRITE);
        }
        return end(job);
      }
      if (job != null) {
        show(job, poll, isTerminal);
      }
      if (output.isGone() || !surroundings.screen.await(EVERY_S)) {
        return ExitCode.FAILED;
      }
    }
  }

  private void show(ConversionStatus job, int poll, boolean isTerminal) {
    if (output.isJson) {
      output.object(ConversionJson.of(job));
    } else if (isTerminal) {
      output.lines(REWRITE + ConversionText.progress(job));
    } else if (poll % POLLS_PER_LINE == 0) {
      output.sentence(ConversionText.progress(job));
    }
  }

  private ExitCode end(ConversionStatus job) {
    if (output.isJson) {
      output.object(ConversionJson.of(job));
    } else {
      output.lines(ConversionText.of(job, surroundings.clock.instant()));
    }
    ConversionCounts counts = job.counts;
    long left = counts.get(Number.CHANGED) + counts.get(Number.FAILED)
        + counts.refused.entrySet().stream().filter(one -> !NOT_CODED.equals(one.getKey()))
            .mapToLong(Map.Entry::getValue).sum();
    return job.state == ConversionState.DONE && (left == 0 || job.options.dryRun)
        ? ExitCode.DONE : ExitCode.FAILED;
  }
}
