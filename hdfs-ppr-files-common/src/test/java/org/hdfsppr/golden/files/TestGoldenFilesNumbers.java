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
package org.hdfsppr.golden.files;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.golden.GoldenLines;
import org.hdfsppr.golden.NumberLines;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.FeatureProtocol;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** Numbers and words of versions, updates and conversions in messages, that no proto file has. */
@InterfaceAudience.Private
class TestGoldenFilesNumbers {
  @Test
  void numbersStay() throws IOException, IllegalAccessException {
    NumberLines numbers = new NumberLines();
    numbers.lines.add("opcodes: " + RequestFraming.OP_PARTIAL_SUM + " sums, "
        + UpdateFraming.OP_UPDATE + " updates, " + ViewFraming.OP_VIEW + " views");
    numbers.lines.add("kinds of commands: " + List.of(ScrubCommand.KIND, LinkCommand.KIND,
        MakeCommand.KIND, PatchCommand.KIND));
    numbers.numbers(UpdateStatus.class, status -> status.number);
    numbers.numbers(ConversionState.class, state -> state.number);
    numbers.numbers(ConversionAction.class, action -> action.number);
    numbers.words("states of commits", CommitStatus.State.class);
    numbers.words("kinds of leftovers", Leftovers.Kind.class);
    numbers.words("states of leftovers", Leftovers.State.class);
    numbers.lines.add("words of calls: " + List.of(UpdateProtocol.DEFAULT_STRATEGY,
        CommitProtocol.FULL, FeatureProtocol.VERSION_SHARDS));
    GoldenLines.check("files-numbers.txt", numbers.lines);
  }
}
