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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that take steps on few threads. */
@Timeout(120)
class TestMakingLane {
  private static final int FILES = 256;
  private static final int THREADS = 4;
  private static final long WAIT_MS = 60_000;
  /** A pause that is longer than the time of a test, unless news ends it. */
  private static final Progress FOR_EVER = Progress.in(TimeUnit.HOURS.toMillis(1));

  private final List<MakingLane> lanes = new ArrayList<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** A file whose steps a test sets. */
  private class File implements MakingLane.Task {
    final CompletableFuture<Throwable> end = new CompletableFuture<>();
    final AtomicInteger steps = new AtomicInteger();
    final AtomicBoolean isAtAThread = new AtomicBoolean();
    final AtomicReference<Throwable> failures = new AtomicReference<>();
    final MakingLane lane;
    final MakingLane.Turn turn;

    File(MakingLane lane) {
      this.lane = lane;
      this.turn = lane.turn(this);
    }

    /** Takes the step with this number; the first one has 1. */
    Progress step(int number) throws Exception {
      return Progress.DONE;
    }

    @Override
    public Progress step() {
      assertTrue(isAtAThread.compareAndSet(false, true), "one thread at a time");
      threads.add(Thread.currentThread());
      try {
        return step(steps.incrementAndGet());
      } catch (Exception e) {
        throw e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e);
      } finally {
        isAtAThread.set(false);
      }
    }

    @Override
    public void release(Throwable failure) {
      failures.set(failure);
    }

    @Override
    public void tell() {
      end.complete(failures.get());
    }

    void begin() {
      assertTrue(lane.begin(turn));
    }

    void assertSteps(int wanted) throws Exception {
      while (steps.get() < wanted) {
        Thread.sleep(1);
      }
      assertEquals(wanted, steps.get());
    }

    Throwable failure() throws Exception {
      return end.get(WAIT_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** A file that ends with a step that finds it free to go. */
  private final class Waiting extends File {
    private volatile boolean mayEnd;

    Waiting(MakingLane lane) {
      super(lane);
    }

    @Override
    Progress step(int number) {
      return mayEnd ? Progress.DONE : FOR_EVER;
    }

    void letEnd() {
      mayEnd = true;
      turn.come();
    }
  }

  private MakingLane lane(int filesMax, int threadsMax) {
    MakingLane lane = new MakingLane(filesMax, threadsMax, "test-step-");
    lanes.add(lane);
    return lane;
  }

  @AfterEach
  void close() {
    lanes.forEach(MakingLane::close);
  }

  @Test
  void allFilesProgressAndEndOnAFewThreads() throws Exception {
    MakingLane lane = lane(FILES, THREADS);
    List<Waiting> files = new ArrayList<>();
    for (int i = 0; i < 2 * FILES; i++) {
      files.add(new Waiting(lane));
      files.get(i).begin();
    }
    assertFalse(lane.hasPlace());
    assertFalse(lane.begin(lane.turn(files.get(0))), "no further file");
    for (Waiting file : files.subList(0, FILES)) {
      file.assertSteps(1);
    }
    assertEquals(FILES, lane.running());
    assertEquals(FILES, lane.queued());
    for (Waiting file : files.subList(FILES, 2 * FILES)) {
      assertEquals(0, file.steps.get(), "it waits for the end of another one");
    }
    files.forEach(Waiting::letEnd);
    for (Waiting file : files) {
      assertNull(file.failure());
    }
    while (lane.running() > 0) {
      Thread.sleep(1);
    }
    assertTrue(lane.hasPlace());
    assertTrue(threads.size() <= THREADS, threads.toString());
  }

  @Test
  void aFileThatIsNotDoneGetsFurtherStepsAfterItsPauses() throws Exception {
    File file = new File(lane(1, 1)) {
      @Override
      Progress step(int number) {
        return number < 4 ? Progress.in(number) : number < 8 ? Progress.AT_ONCE : Progress.DONE;
      }
    };
    file.begin();
    assertNull(file.failure());
    assertEquals(8, file.steps.get());
  }

  /** Another file would never get another step if its only thread ended. */
  @Test
  void aStepThatThrowsEndsItsFileOnly() throws Exception {
    MakingLane lane = lane(3, 1);
    Waiting other = new Waiting(lane);
    other.begin();
    for (Throwable failure : new Throwable[] {new IllegalStateException("as the test says"),
        new OutOfMemoryError("as the test says"), new StackOverflowError("as the test says"),
        new NoClassDefFoundError("as the test says")}) {
      File file = new File(lane) {
        @Override
        Progress step(int number) {
          if (number == 1) {
            return Progress.AT_ONCE;
          }
          throw failure instanceof Error ? sneaky((Error) failure) : (RuntimeException) failure;
        }

        private RuntimeException sneaky(Error error) {
          throw error;
        }
      };
      file.begin();
      assertSame(failure, file.failure());
    }
    other.letEnd();
    assertNull(other.failure());
    assertEquals(1, threads.size());
  }

  @Test
  void anErrorAtTheEndOfAFileEndsNoOtherOne() throws Exception {
    MakingLane lane = lane(1, 1);
    File file = new File(lane) {
      @Override
      public void tell() {
        super.tell();
        throw new OutOfMemoryError("as the test says");
      }
    };
    Waiting next = new Waiting(lane);
    file.begin();
    next.begin();
    assertNull(file.failure());
    next.letEnd();
    assertNull(next.failure());
  }

  @Test
  void newsEndsAPause() throws Exception {
    Waiting file = new Waiting(lane(1, 1));
    file.begin();
    file.assertSteps(1);
    file.letEnd();
    assertNull(file.failure());
  }

  /** The step has looked for it before it came, and would wait now. */
  @Test
  void newsThatComesBetweenALookAndThePauseIsNotMissed() throws Exception {
    CountDownLatch hasLooked = new CountDownLatch(1);
    CountDownLatch hasCome = new CountDownLatch(1);
    AtomicBoolean isThere = new AtomicBoolean();
    File file = new File(lane(1, 1)) {
      @Override
      Progress step(int number) throws Exception {
        boolean isSeen = isThere.get();
        hasLooked.countDown();
        hasCome.await();
        return isSeen ? Progress.DONE : FOR_EVER;
      }
    };
    file.begin();
    hasLooked.await();
    isThere.set(true);
    file.turn.come();
    hasCome.countDown();
    assertNull(file.failure());
    assertEquals(2, file.steps.get());
  }

  /** News from many threads comes at any moment of the steps. */
  @Test
  void noNewsIsLostAmongMany() throws Exception {
    MakingLane lane = lane(1, 2);
    int wanted = 100_000;
    AtomicInteger news = new AtomicInteger();
    File file = new File(lane) {
      @Override
      Progress step(int number) {
        return news.get() == wanted ? Progress.DONE : FOR_EVER;
      }
    };
    file.begin();
    List<Thread> sources = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      sources.add(new Thread(() -> {
        for (int j = 0; j < wanted / THREADS; j++) {
          news.incrementAndGet();
          file.turn.come();
        }
      }));
    }
    sources.forEach(Thread::start);
    assertNull(file.failure());
    for (Thread source : sources) {
      source.join();
    }
  }

  @Test
  void newsDoesNotSendAFileThatIsDueBehindOthers() throws Exception {
    MakingLane lane = lane(3, 1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    File first = new File(lane) {
      @Override
      Progress step(int number) throws Exception {
        mayGoOn.await();
        return Progress.DONE;
      }
    };
    List<File> files = new ArrayList<>(List.of(first));
    first.begin();
    first.assertSteps(1);
    for (String name : List.of("second", "third")) {
      File file = new File(lane) {
        @Override
        Progress step(int number) {
          order.add(name);
          return Progress.DONE;
        }
      };
      file.begin();
      files.add(file);
    }
    files.get(1).turn.come();
    mayGoOn.countDown();
    for (File file : files) {
      assertNull(file.failure());
    }
    assertEquals(List.of("second", "third"), order);
  }

  /** A thread inherits the user and the caller context of the thread that makes it. */
  @Test
  void stepsAreTheNameNodesOwnWorkWhichUserHasBegunThem() throws Exception {
    MakingLane lane = lane(1, 1);
    AtomicReference<String> user = new AtomicReference<>();
    AtomicReference<CallerContext> context = new AtomicReference<>();
    File file = new File(lane) {
      @Override
      Progress step(int number) throws Exception {
        user.set(UserGroupInformation.getCurrentUser().getUserName());
        context.set(CallerContext.getCurrent());
        return Progress.DONE;
      }
    };
    CallerContext.setCurrent(new CallerContext.Builder("a call of bob").build());
    try {
      UserGroupInformation.createRemoteUser("bob").doAs((PrivilegedExceptionAction<Void>) () -> {
        file.begin();
        return null;
      });
    } finally {
      CallerContext.setCurrent(null);
    }
    assertNull(file.failure());
    assertEquals(UserGroupInformation.getLoginUser().getUserName(), user.get());
    assertNull(context.get());
  }

  @Test
  void newsOfAFileThatHasEndedDoesNothing() throws Exception {
    MakingLane lane = lane(1, 1);
    File file = new File(lane);
    file.begin();
    assertNull(file.failure());
    file.turn.come();
    Waiting next = new Waiting(lane);
    next.begin();
    next.letEnd();
    assertNull(next.failure());
    assertEquals(1, file.steps.get());
  }

  /** It would take up to ten seconds until each file looks, and as long for each that is queued. */
  @Test
  void aLaneThatIsClosedLetsItsFilesLookAtOnce() throws Exception {
    MakingLane lane = lane(2, 1);
    AtomicBoolean isStopped = new AtomicBoolean();
    List<File> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add(new File(lane) {
        @Override
        Progress step(int number) {
          return isStopped.get() ? Progress.DONE : FOR_EVER;
        }
      });
      files.get(i).begin();
    }
    files.get(0).assertSteps(1);
    files.get(1).assertSteps(1);
    isStopped.set(true);
    lane.close();
    assertTrue(lane.awaitEnd(WAIT_MS));
    for (File file : files) {
      assertNull(file.failure());
    }
    assertFalse(lane.begin(lane.turn(files.get(0))));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void theEndOfALaneIsAwaitedForABoundedTime() throws Exception {
    MakingLane lane = lane(1, 1);
    CountDownLatch goOn = new CountDownLatch(1);
    File file = new File(lane) {
      @Override
      Progress step(int number) throws Exception {
        goOn.await();
        return Progress.DONE;
      }
    };
    file.begin();
    lane.close();
    assertFalse(lane.awaitEnd(10));
    goOn.countDown();
    assertTrue(lane.awaitEnd(WAIT_MS));
    assertNull(file.failure());
  }

  /** The edit log would be closed, and the other files of the thread would not be made. */
  @Test
  void anInterruptFromElsewhereEndsNoThread() throws Exception {
    MakingLane lane = lane(2, 1);
    Waiting other = new Waiting(lane);
    other.begin();
    File file = new File(lane) {
      @Override
      Progress step(int number) {
        Thread.currentThread().interrupt();
        return Progress.DONE;
      }
    };
    file.begin();
    assertNull(file.failure());
    other.letEnd();
    assertNull(other.failure());
  }
}
