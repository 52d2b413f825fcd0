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
package org.hdfsppr.namenode.manage;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The NameNode's answers to superusers, and its lines in the audit log, are what they were. */
@InterfaceAudience.Private
class TestOperationSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-namenode", "operations");
  private static final String ANSWERS = "answers.txt";

  private final StringBuilder text = new StringBuilder();
  private PaperCluster cluster = new PaperCluster(new Configuration());

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void ask(String... words) {
    cluster.audited.clear();
    RefreshResponse answer = cluster.command(words);
    text.append("> ").append(String.join(" ", words)).append('\n')
        .append(answer.getReturnCode()).append(": ").append(answer.getMessage()).append('\n');
    cluster.audited.forEach(line -> text.append("audit: ").append(line).append('\n'));
    text.append('\n');
  }

  private void title(String words) {
    text.append("--- ").append(words).append(" ---\n\n");
  }

  private LostGroup lose(LostGroup group) {
    cluster.books.lose(group);
    return group;
  }

  @Test
  void answersAreAsRecorded() {
    idle();
    busy();
    doubted();
    keptOut();
    title("this NameNode is not active");
    cluster.books.setActive(false);
    cluster.step(1_000);
    for (String operation : List.of("prioritize", "doubt", "undoubt")) {
      ask(operation, "blk_-32");
    }
    withLinkRate();
    notUnderstood();
    RECORDED.assertSame(ANSWERS, text.toString());
  }

  private void idle() {
    title("nothing is lost");
    cluster.step(14_000);
    ask("resume");
    ask("pause");
    ask("pause", "5400000");
    ask("resume");
    ask("stock");
    ask("stock", "60000");
    ask("resume");
    ask("pressure");
    ask("pressure", "urgent");
    ask("pressure", "gentle");
    ask("pressure", "75");
    ask("undoubt", "blk_-32");
    ask("doubt", "blk_-32");
    ask("readmit", "h3:9866");
    ask("prioritize", "blk_-32");
  }

  private void busy() {
    title("groups wait, run, and are with stock");
    LostGroup runs = lose(cluster.group(1, PaperCluster.RS, 15));
    cluster.step(1_000);
    ask("prioritize", PaperCluster.name(runs));
    LostGroup waits = lose(cluster.group(2, PaperCluster.LRC));
    LostGroup lost = lose(PaperCluster.with(cluster.group(3, PaperCluster.RS, 15), -1));
    cluster.step(1_000);
    ask("prioritize", PaperCluster.name(waits));
    ask("prioritize", PaperCluster.name(lost));
    ask("pause");
    LostGroup atRisk = lose(PaperCluster.with(cluster.group(4, PaperCluster.RS, 15), 0));
    cluster.step(1_000);
    ask("prioritize", PaperCluster.name(atRisk));
    ask("pause", "60000");
    ask("stock", "60000");
    ask("resume");
    cluster.step(1_000);
  }

  private void doubted() {
    title("units contradict each other");
    LostGroup group = lose(cluster.group(5, PaperCluster.LRC));
    cluster.step(1_000);
    ask("doubt", PaperCluster.name(group));
    ask("doubt", PaperCluster.name(group), "4");
    ask("doubt", PaperCluster.name(group), "15");
    ask("stock");
    ask("resume");
    ask("undoubt", PaperCluster.name(group));
    ask("undoubt", PaperCluster.name(group));
  }

  private void keptOut() {
    title("a DataNode is kept out of repairs");
    cluster.close();
    cluster = new PaperCluster(new Configuration());
    cluster.step(14_000);
    for (int i = 0; i < 3; i++) {
      LostGroup other = lose(cluster.group(10 + i, PaperCluster.RS, 15));
      cluster.step(1_000);
      cluster.fail(other, "u15", FailureCause.INTERNAL);
      cluster.books.end(other.id);
      cluster.manager.cycle();
    }
    ask("readmit", "h15:9866");
    ask("readmit", "u15");
  }

  private void withLinkRate() {
    title("the rate of links is set");
    Configuration conf = new Configuration();
    conf.set(PprKeys.NAMENODE_LINK_RATE_KEY, "25000000");
    cluster.close();
    cluster = new PaperCluster(conf);
    cluster.step(14_000);
    ask("pressure");
    ask("pressure", "gentle");
  }

  private void notUnderstood() {
    title("what is not understood");
    ask();
    ask("nonsense");
    for (String operation : List.of("undoubt", "doubt", "readmit", "prioritize")) {
      ask(operation);
      ask(operation, "a", "b", "c");
    }
    ask("resume", "1");
    for (String block : List.of("blk_32", "file", "", "blk_-x_1001")) {
      ask("undoubt", block);
    }
    ask("doubt", "blk_-32", "16");
    ask("doubt", "blk_-32", "x");
    for (String length : List.of("0", "-1", "1h", "2592000001")) {
      ask("pause", length);
      ask("stock", length);
    }
    for (String pressure : List.of("39", "101", "soft")) {
      ask("pressure", pressure);
    }
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(ANSWERS));
  }
}
