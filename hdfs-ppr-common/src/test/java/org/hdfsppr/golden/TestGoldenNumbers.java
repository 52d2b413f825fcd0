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
package org.hdfsppr.golden;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubOutcome;
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
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestFeatures;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** Numbers and words that stand in messages, and that no proto file has. */
@InterfaceAudience.Private
class TestGoldenNumbers {
  private final List<String> lines = new ArrayList<>();

  private <E extends Enum<E>> void numbers(Class<E> type, ToIntFunction<E> number) {
    for (E one : type.getEnumConstants()) {
      lines.add(type.getSimpleName() + " " + one.name() + " = " + number.applyAsInt(one));
    }
  }

  private void words(String name, Class<? extends Enum<?>> type) {
    lines.add(name + ": " + Arrays.toString(type.getEnumConstants()));
  }

  private void bits(Class<?> type) throws IllegalAccessException {
    for (Field field : type.getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        lines.add(type.getSimpleName() + " " + field.getName() + " = " + field.get(null));
      }
    }
  }

  @Test
  void numbersStay() throws IOException, IllegalAccessException {
    lines.add("opcodes: " + RequestFraming.OP_PARTIAL_SUM + " sums, " + UpdateFraming.OP_UPDATE
        + " updates, " + ViewFraming.OP_VIEW + " views");
    lines.add("version in heartbeats: " + HeartbeatRequest.PROTOCOL_VERSION);
    lines.add("kinds of commands: " + List.of(ScrubCommand.KIND, LinkCommand.KIND,
        MakeCommand.KIND, PatchCommand.KIND));
    numbers(FailureCause.class, cause -> cause.number);
    numbers(RepairOutcome.class, outcome -> outcome.number);
    numbers(ScrubOutcome.class, outcome -> outcome.number);
    numbers(UpdateStatus.class, status -> status.number);
    numbers(ConversionState.class, state -> state.number);
    numbers(ConversionAction.class, action -> action.number);
    words("states of commits", CommitStatus.State.class);
    words("kinds of leftovers", Leftovers.Kind.class);
    words("states of leftovers", Leftovers.State.class);
    bits(RequestFeatures.class);
    bits(CommandFeatures.class);
    lines.add("words of calls: " + List.of(UpdateProtocol.DEFAULT_STRATEGY, CommitProtocol.FULL,
        FeatureProtocol.VERSION_SHARDS));
    GoldenLines.check("numbers.txt", lines);
  }
}
