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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.Test;

/** Tests for which groups a NameNode that starts does not wait. */
class TestSafeModeWatch {
  /** A safe mode that reports what a test says. */
  private static final class Script implements StartupSafeMode {
    private final List<Long> orders = new ArrayList<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private boolean isManual;
    private final CountDownLatch looks = new CountDownLatch(3);
    private Look now = new Look(false, 0);
    private volatile Error error;
    private volatile Error errorOfLook;
    /** Is thrown once, when the number is set. */
    private volatile Error errorOfOrder;

    @Override
    public boolean isOn() {
      asked.countDown();
      fail(error);
      return true;
    }

    @Override
    public Look look() {
      looks.countDown();
      fail(errorOfLook);
      return now;
    }

    private static void fail(Error error) {
      if (error != null) {
        throw error;
      }
    }

    @Override
    public long waitWithout(long most) {
      if (isManual) {
        return 0;
      }
      orders.add(most);
      Error thrown = errorOfOrder;
      errorOfOrder = null;
      fail(thrown);
      return most;
    }
  }

  private final Script script = new Script();
  private final Services services = new Services(System::nanoTime);
  private final SafeModeWatch watch = new SafeModeWatch(script, services, 1);

  private void look(boolean isReported, long groups) {
    script.now = new StartupSafeMode.Look(isReported, groups);
    watch.look();
  }

  @Test
  void groupsAreWaitedForUntilAllNodesHaveReported() {
    look(false, 9);
    look(false, 9);
    look(true, 9);
    assertEquals(List.of(), script.orders);
    look(true, 4);
    look(true, 4);
    assertEquals(List.of(4L), script.orders);
  }

  @Test
  void groupsWhoseUnitsComeAreCountedAgain() {
    look(true, 4);
    look(true, 4);
    look(true, 1);
    assertEquals(List.of(4L, 1L), script.orders);
    look(true, 1);
    // Others become too few, and may be on their way.
    look(true, 3);
    assertEquals(List.of(4L, 1L), script.orders);
    // Another node has registered, and has not reported.
    look(false, 1);
    assertEquals(List.of(4L, 1L, 0L), script.orders);
  }

  @Test
  void safeModeThatAnOperatorHasSwitchedOnIsLeftAloneUntilItEnds() {
    script.isManual = true;
    look(true, 4);
    look(true, 4);
    assertEquals(List.of(), script.orders);
    script.isManual = false;
    look(true, 4);
    assertEquals(List.of(4L), script.orders);
  }

  @Test
  void aNameNodeWithoutSuchGroupsIsLeftAlone() {
    look(true, 0);
    look(true, 0);
    assertEquals(List.of(), script.orders);
  }

  @Test
  void theWatchEndsWithItsNameNode() throws Exception {
    SafeModeWatch running = SafeModeWatch.start(script, services);
    assertTrue(script.asked.await(60, TimeUnit.SECONDS));
    running.close();
    assertFalse(running.isAlive());
  }

  private long failures() {
    return services.health().stream().mapToLong(health -> health.failures).sum();
  }

  @Test
  void theWatchGoesOnAfterAnyError() throws Exception {
    script.errorOfLook = new OutOfMemoryError("a fault of this test");
    watch.start();
    assertTrue(script.looks.await(60, TimeUnit.SECONDS), "it looks again");
    assertTrue(watch.isAlive());
    assertTrue(failures() >= 2, "the first errors are counted: " + failures());
    watch.close();
    assertFalse(watch.isAlive());
    assertEquals(List.of(), services.health(), "its service is closed");
  }

  /** It asks whether safe mode is on in each step. */
  @Test
  void aWatchWhoseStepsAllFailEndsWithItsNameNode() throws Exception {
    script.error = new StackOverflowError("a fault of this test");
    watch.start();
    assertTrue(script.asked.await(60, TimeUnit.SECONDS));
    watch.close();
    assertFalse(watch.isAlive());
  }

  /** What has come or gone since the last look is not known. */
  @Test
  void allGroupsAreWaitedForAfterAnError() {
    look(true, 4);
    look(true, 4);
    script.errorOfLook = new StackOverflowError("a fault of this test");
    watch.look();
    assertEquals(List.of(4L, 0L), script.orders);
    assertEquals(1, failures());
    script.errorOfLook = null;
    look(true, 4);
    assertEquals(List.of(4L, 0L), script.orders);
    look(true, 4);
    assertEquals(List.of(4L, 0L, 4L), script.orders);
  }

  @Test
  void aNumberThatIsSetBeforeAnErrorIsTakenBack() {
    look(true, 4);
    script.errorOfOrder = new OutOfMemoryError("a fault of this test");
    look(true, 4);
    assertEquals(List.of(4L, 0L), script.orders);
    assertEquals(1, failures());
  }
}
