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
package org.hdfsppr.namenode.manage.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.SuperuserAccess;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Tests which callers are let in, and which commands are understood. */
@InterfaceAudience.Private
class TestOperatorRefreshHandler {
  private final List<String> done = new ArrayList<>();
  private final List<String> audited = new ArrayList<>();
  private boolean isSuperuser = true;
  private final SuperuserOperations operations = new SuperuserOperations() {
    @Override
    public Outcome undoubt(long groupId) {
      done.add("undoubt " + groupId);
      return groupId == -32 ? Outcome.done("The doubt is ended") : Outcome.refused("no doubt");
    }

    @Override
    public Outcome doubt(long groupId, int wrongUnit) {
      done.add("doubt " + groupId + " " + wrongUnit);
      return Outcome.done("doubted");
    }

    @Override
    public Outcome readmit(String name) {
      throw new IllegalStateException("a test");
    }

    @Override
    public Outcome pause(long ms) {
      done.add("pause " + (ms == SuperuserOperations.UNTIL_RESUMED ? "for good" : ms + " ms"));
      return Outcome.done("paused");
    }

    @Override
    public Outcome leaveToStock(long ms) {
      done.add("stock " + (ms == SuperuserOperations.UNTIL_RESUMED ? "for good" : ms + " ms"));
      return Outcome.done("left to stock");
    }

    @Override
    public Outcome resume() {
      done.add("resume");
      return Outcome.done("resumed");
    }

    @Override
    public Outcome press(int percent) {
      done.add("press " + percent);
      return Outcome.done("pressed");
    }

    @Override
    public Outcome prioritize(long groupId) {
      done.add("prioritize " + groupId);
      return Outcome.done("first");
    }
  };

  private OperatorRefreshHandler door(OperatorRefreshHandler.ManagerThread thread,
      long answerMsMax) {
    return new OperatorRefreshHandler(new OperatorRefreshHandler.Guard() {
      @Override
      public void check(String operation) throws AccessControlException {
        if (!isSuperuser) {
          throw new AccessControlException("Superuser privilege is required\nat a.Class");
        }
      }

      @Override
      public void audit(String operation, String what) {
        audited.add(operation + " " + what);
      }
    }, thread, operations, answerMsMax);
  }

  private RefreshResponse command(String... args) {
    return door(what -> {
      what.run();
      return true;
    }, 100_000).handleRefresh("ppr", args);
  }

  private void assertAnswer(int code, String text, RefreshResponse response) {
    assertEquals(code, response.getReturnCode(), response.getMessage());
    assertTrue(response.getMessage().contains(text), response.getMessage());
    assertFalse(response.getMessage().contains("\n"), "the answer is one line");
  }

  @Test
  void onlySuperusersAreHeard() {
    isSuperuser = false;
    assertAnswer(OperatorRefreshHandler.REFUSED, "Superuser privilege is required",
        command("undoubt", "blk_-32"));
    assertAnswer(OperatorRefreshHandler.REFUSED, "Superuser", command("nonsense"));
    assertAnswer(OperatorRefreshHandler.REFUSED, "Superuser", command());
    assertEquals(List.of(), done);
    assertEquals(List.of(), audited);
  }

  @Test
  void whatIsDoneIsAudited() {
    assertAnswer(OperatorRefreshHandler.DONE, "The doubt is ended", command("undoubt", "blk_-32"));
    assertAnswer(OperatorRefreshHandler.REFUSED, "no doubt", command("undoubt", "blk_-48"));
    assertEquals(List.of("pprUndoubt blk_-32"), audited);
  }

  @Test
  void eachOperationIsReachedByItsNameAndAudited() {
    assertAnswer(OperatorRefreshHandler.DONE, "paused", command("pause"));
    assertAnswer(OperatorRefreshHandler.DONE, "paused", command("PAUSE", "60000"));
    assertAnswer(OperatorRefreshHandler.DONE, "left to stock", command("stock"));
    assertAnswer(OperatorRefreshHandler.DONE, "left to stock", command("stock", "60000"));
    assertAnswer(OperatorRefreshHandler.DONE, "resumed", command("resume"));
    assertAnswer(OperatorRefreshHandler.DONE, "first", command("prioritize", "blk_-45_1001"));
    assertAnswer(OperatorRefreshHandler.DONE, "doubted", command("doubt", "blk_-45"));
    assertAnswer(OperatorRefreshHandler.DONE, "doubted", command("doubt", "blk_-48", "4"));
    assertEquals(List.of("pause for good", "pause 60000 ms", "stock for good",
        "stock 60000 ms", "resume", "prioritize -48",
        "doubt -48 -1", "doubt -48 4"), done);
    assertEquals(List.of("pprPause until resumed", "pprPause for 1 min", "pprStock until resumed",
        "pprStock for 1 min", "pprResume ",
        "pprPrioritize blk_-48", "pprDoubt blk_-48", "pprDoubt blk_-48 unit 4"), audited);
  }

  @Test
  void aPauseHasALengthThatMakesSense() {
    for (String length : new String[] {"0", "-1", "1h", "", "2592000001", "1.5"}) {
      assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "'" + length
          + "' is no length of a pause",
          command("pause", length));
      assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD,
          "'" + length + "' is no length of a time of stock", command("stock", length));
    }
    assertEquals(List.of(), done);
  }

  @Test
  void pressureIsANameOrPercent() {
    assertAnswer(OperatorRefreshHandler.DONE, "pressed", command("pressure", "gentle"));
    assertAnswer(OperatorRefreshHandler.DONE, "pressed", command("pressure", "Urgent"));
    assertAnswer(OperatorRefreshHandler.DONE, "pressed", command("pressure", "40"));
    assertAnswer(OperatorRefreshHandler.DONE, "pressed", command("pressure"));
    assertEquals(List.of("press 60", "press 100", "press 40", "press 0"), done);
    assertEquals(List.of("pprPressure gentle", "pprPressure urgent", "pprPressure 40 %",
        "pprPressure asked"), audited);
    for (String wrong : new String[] {"39", "101", "", "-5", "50 %", "soft"}) {
      assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "'" + wrong
          + "' is no pressure: say gentle",
          command("pressure", wrong));
    }
    assertEquals(4, done.size());
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    for (String[] args : new String[][] {{}, {"undoubt"}, {"undoubt", "a", "b"},
        {"pause", "1", "2"}, {"resume", "1"}, {"prioritize"}, {"throttle"},
        {"undoubt", "x".repeat(301)}}) {
      assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "undoubt BLOCK", command(args));
    }
    for (String block : new String[] {"blk_32", "file", "blk_", "", "blk_-x_1001",
        "-99999999999999999999"}) {
      assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "'" + block + "' is no block",
          command("undoubt", block));
    }
    assertEquals(List.of(), done);
  }

  @Test
  void aUnitsIdIsItsGroups() {
    assertEquals(-32, BlockNames.groupId("blk_-32_1001"));
    assertEquals(-32, BlockNames.groupId("-29"));
    assertEquals(Long.MIN_VALUE, BlockNames.groupId("blk_" + (Long.MIN_VALUE + 15)));
    assertThrows(IllegalArgumentException.class, () -> BlockNames.groupId("blk_0"));
  }

  @Test
  void whatFailsIsNoTrace() {
    assertAnswer(OperatorRefreshHandler.REFUSED, "the NameNode's log says why",
        command("readmit", "u1"));
  }

  /**
   * If the caller got the answer that nothing was done, the command must not be carried out later.
   */
  @Test
  void aManagerThatDoesNotAnswerIsNotWaitedForForEver() {
    AtomicReference<Runnable> waiting = new AtomicReference<>();
    OperatorRefreshHandler door = door(what -> {
      waiting.set(what);
      return true;
    }, 1);
    assertAnswer(OperatorRefreshHandler.REFUSED, "has not answered within 1 ms",
        door.handleRefresh("ppr", new String[] {"undoubt", "blk_-32"}));
    waiting.get().run();
    assertEquals(List.of(), done);
    assertAnswer(OperatorRefreshHandler.REFUSED, "Too many commands",
        door(what -> false, 1).handleRefresh("ppr", new String[] {"undoubt", "blk_-32"}));
  }

  @Test
  void thisHadoopCanCheckItsCallers() {
    assertEquals(List.of(), SuperuserAccess.missing());
  }
}
