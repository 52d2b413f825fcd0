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

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.namenode.manage.status.Headline;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives superusers' commands by the NameNode's own RPC: {@code hdfs ppr -undoubt}, or {@code
 * hdfs dfsadmin -refresh HOST:PORT ppr undoubt BLOCK}. It checks the caller and the arguments,
 * passes the command to the manager's thread, and waits for the answer for a bounded time.
 */
@InterfaceAudience.Private
public final class OperatorRefreshHandler implements RefreshHandler {
  /** The name under which Hadoop registers this handler. */
  public static final String IDENTIFIER = "ppr";
  /** Return code: the command is done. */
  public static final int DONE = 0;
  /** Return code: the command is not done; the message says why. */
  public static final int REFUSED = 1;
  /** Return code: the arguments make no sense; the message says how to use the command. */
  public static final int NOT_UNDERSTOOD = 2;
  /**
   * How long a caller waits for the answer, ms. The manager runs several cycles in this time. While
   * a caller waits, Hadoop accepts no other command.
   */
  private static final long ANSWER_MS_MAX = 5_000;
  /** The operations, in the order in which the help lists them. */
  private static final List<SuperuserOperation> TABLE = List.of(new UndoubtOperation(),
      new DoubtOperation(), new ReadmitOperation(),
      new TimedOperation("pause", "pprPause", "pause", SuperuserOperations::pause),
      new TimedOperation("stock", "pprStock", "time of stock", SuperuserOperations::leaveToStock),
      new ResumeOperation(), new PrioritizeOperation(), new PressureOperation());
  /** The name in the audit log for a command that is not in {@link #TABLE}. */
  private static final String UNKNOWN = "ppr";

  private static final Logger LOG = LoggerFactory.getLogger(OperatorRefreshHandler.class);

  /** Gives access to the NameNode's check of the caller and to the NameNode's audit log. */
  public interface Guard {
    /**
     * Checks the caller's right to an operation.
     *
     * @param operation the name of the operation in the audit log
     * @throws IOException if the caller has no right to the operation
     */
    void check(String operation) throws IOException;

    /**
     * Writes an operation that was carried out to the NameNode's audit log.
     *
     * @param operation the name of the operation in the audit log
     * @param what the group, node or time to which the operation was applied
     * @throws IOException if the log cannot be written
     */
    void audit(String operation, String what) throws IOException;
  }

  /** Passes work to the manager's thread. */
  public interface ManagerThread {
    /**
     * @param what the work
     * @return false if too much work waits already
     */
    boolean submit(Runnable what);
  }

  private final Guard guard;
  private final ManagerThread thread;
  private final SuperuserOperations operations;
  private final long answerMsMax;

  /**
   * Makes a handler of superusers' commands.
   *
   * @param guard checks the caller
   * @param thread passes work to the manager's thread
   * @param operations carries out the commands
   */
  public OperatorRefreshHandler(Guard guard, ManagerThread thread, SuperuserOperations operations) {
    this(guard, thread, operations, ANSWER_MS_MAX);
  }

  OperatorRefreshHandler(Guard guard, ManagerThread thread, SuperuserOperations operations,
      long answerMsMax) {
    this.guard = guard;
    this.thread = thread;
    this.operations = operations;
    this.answerMsMax = answerMsMax;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    String name = args.length == 0 ? "" : args[0].toLowerCase(Locale.ROOT);
    SuperuserOperation operation =
        TABLE.stream().filter(one -> one.name.equals(name)).findFirst().orElse(null);
    try {
      // The caller is checked first, so that a caller without the right learns nothing, not even
      // which commands exist.
      guard.check(operation == null ? UNKNOWN : operation.auditName);
      if (operation == null || !operation.takes(args.length - 1)
          || Arrays.stream(args).anyMatch(word -> word.length() > BlockNames.CHARS_MAX)) {
        return new RefreshResponse(NOT_UNDERSTOOD, "That is not understood: say " + usages());
      }
      return ask(operation, Arrays.copyOfRange(args, 1, args.length));
    } catch (IOException | RuntimeException e) {
      return new RefreshResponse(REFUSED, PeerText.firstLine(e));
    }
  }

  private static String usages() {
    return TABLE.stream().map(operation -> operation.usage).collect(Collectors.joining(", or "));
  }

  private RefreshResponse ask(SuperuserOperation operation, String[] arguments) throws IOException {
    SuperuserOperation.Wish wish;
    try {
      wish = operation.read(arguments);
    } catch (IllegalArgumentException e) {
      return new RefreshResponse(NOT_UNDERSTOOD, e.getMessage());
    }
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    boolean taken = thread.submit(() -> {
      if (!answer.isDone()) {
        try {
          answer.complete(wish.action.apply(operations));
        } catch (RuntimeException e) {
          answer.completeExceptionally(e);
        }
      }
    });
    if (!taken) {
      return new RefreshResponse(REFUSED, "Too many commands wait for the repair manager; its log"
          + " says why it does not get on");
    }
    Outcome outcome;
    try {
      outcome = answer.get(answerMsMax, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      return new RefreshResponse(REFUSED, "The repair manager has not answered within "
          + answerMsMax + " ms; its log says why it does not get on");
    } catch (InterruptedException e) {
      java.lang.Thread.currentThread().interrupt();
      return new RefreshResponse(REFUSED, "The NameNode stops");
    } catch (ExecutionException e) {
      LOG.error("{} {} has failed", operation.auditName, wish.what, e.getCause());
      return new RefreshResponse(REFUSED, "It has failed; the NameNode's log says why");
    }
    if (!outcome.done) {
      return new RefreshResponse(REFUSED, outcome.sentence);
    }
    guard.audit(operation.auditName, wish.what);
    LOG.info("{}, as a superuser wishes", outcome.sentence);
    return new RefreshResponse(DONE, outcome.sentence);
  }

  /** {@code undoubt BLOCK}: ends the doubt about a group. */
  static final class UndoubtOperation extends SuperuserOperation {
    UndoubtOperation() {
      super("undoubt", "pprUndoubt", "'undoubt BLOCK', such as undoubt blk_-9223372036854775792");
    }

    @Override
    boolean takes(int arguments) {
      return arguments == 1;
    }

    @Override
    Wish read(String... arguments) {
      long groupId = BlockNames.groupId(arguments[0]);
      return new Wish(BlockNames.nameOf(groupId), all -> all.undoubt(groupId));
    }
  }

  /**
   * {@code doubt BLOCK [UNIT]}: begins the doubt about a group whose units contradict each other. A
   * check such as {@code hdfs ppr -verify} has found that, and perhaps which unit is wrong.
   */
  static final class DoubtOperation extends SuperuserOperation {
    private static final int ARGUMENTS_MAX = 2;
    /** No code has more units than the id of a block can number. */
    private static final int UNITS_MAX = 16;

    DoubtOperation() {
      super("doubt", "pprDoubt", "'doubt BLOCK [UNIT]'");
    }

    @Override
    boolean takes(int arguments) {
      return arguments >= 1 && arguments <= ARGUMENTS_MAX;
    }

    @Override
    Wish read(String... arguments) {
      long groupId = BlockNames.groupId(arguments[0]);
      String name = BlockNames.nameOf(groupId);
      if (arguments.length == 1) {
        return new Wish(name, all -> all.doubt(groupId, SuperuserOperations.ANY_UNIT));
      }
      int unit = unit(arguments[1]);
      return new Wish(name + " unit " + unit, all -> all.doubt(groupId, unit));
    }

    private static int unit(String number) {
      try {
        int unit = Integer.parseInt(number);
        if (unit >= 0 && unit < UNITS_MAX) {
          return unit;
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(noUnit(number), e);
      }
      throw new IllegalArgumentException(noUnit(number));
    }

    private static String noUnit(String number) {
      return "'" + number + "' is no number of a unit: give 0 to " + (UNITS_MAX - 1)
          + ", or nothing if any unit may be wrong";
    }
  }

  /** {@code readmit DATANODE}: lets a node that was kept out take part again. */
  static final class ReadmitOperation extends SuperuserOperation {
    ReadmitOperation() {
      super("readmit", "pprReadmit", "'readmit DATANODE'");
    }

    @Override
    boolean takes(int arguments) {
      return arguments == 1;
    }

    @Override
    Wish read(String... arguments) {
      return new Wish(arguments[0], all -> all.readmit(arguments[0]));
    }
  }

  /**
   * {@code pause [MILLIS]} lets no repair begin, {@code stock [MILLIS]} leaves all repairs to
   * stock: for a time, or until {@code resume}.
   */
  static final class TimedOperation extends SuperuserOperation {
    private final String timeName;
    private final BiFunction<SuperuserOperations, Long, Outcome> operation;

    /**
     * @param timeName the name of the time in a message that refuses it, such as {@code pause}
     * @param operation takes the time, ms
     */
    TimedOperation(String name, String auditName, String timeName,
        BiFunction<SuperuserOperations, Long, Outcome> operation) {
      super(name, auditName, "'" + name + " [MILLIS]'");
      this.timeName = timeName;
      this.operation = operation;
    }

    @Override
    boolean takes(int arguments) {
      return arguments <= 1;
    }

    @Override
    Wish read(String... arguments) {
      if (arguments.length == 0) {
        return new Wish("until resumed",
            all -> operation.apply(all, SuperuserOperations.UNTIL_RESUMED));
      }
      long ms = Length.parse(arguments[0], timeName);
      return new Wish("for " + Headline.time(ms / 1e3), all -> operation.apply(all, ms));
    }
  }

  /** {@code resume}: ends a pause, or the time for which all repairs are left to stock. */
  static final class ResumeOperation extends SuperuserOperation {
    ResumeOperation() {
      super("resume", "pprResume", "'resume'");
    }

    @Override
    boolean takes(int arguments) {
      return arguments == 0;
    }

    @Override
    Wish read(String... arguments) {
      return new Wish("", SuperuserOperations::resume);
    }
  }

  /** {@code prioritize BLOCK}: puts a waiting group before all others. */
  static final class PrioritizeOperation extends SuperuserOperation {
    PrioritizeOperation() {
      super("prioritize", "pprPrioritize", "'prioritize BLOCK'");
    }

    @Override
    boolean takes(int arguments) {
      return arguments == 1;
    }

    @Override
    Wish read(String... arguments) {
      long groupId = BlockNames.groupId(arguments[0]);
      return new Wish(BlockNames.nameOf(groupId), all -> all.prioritize(groupId));
    }
  }

  /**
   * {@code pressure [gentle|urgent|PERCENT]}: sets, or only tells, how much repairs press where
   * users are busy, see {@link Pressure}.
   */
  static final class PressureOperation extends SuperuserOperation {
    PressureOperation() {
      super("pressure", "pprPressure", "'pressure [gentle|urgent|PERCENT]'");
    }

    @Override
    boolean takes(int arguments) {
      return arguments <= 1;
    }

    @Override
    Wish read(String... arguments) {
      if (arguments.length == 0) {
        return new Wish("asked", all -> all.press(SuperuserOperations.AS_IT_IS));
      }
      int percent = Pressure.parse(arguments[0]).orElseThrow(() -> new IllegalArgumentException(
          "'" + arguments[0] + "' is no pressure: say " + Pressure.ALLOWED));
      return new Wish(Pressure.name(percent), all -> all.press(percent));
    }
  }
}
