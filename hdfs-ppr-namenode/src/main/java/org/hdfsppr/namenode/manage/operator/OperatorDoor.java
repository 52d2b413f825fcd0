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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives superusers' commands by the NameNode's own RPC: {@code hdfs ppr -undoubt}, or {@code
 * hdfs dfsadmin -refresh HOST:PORT ppr undoubt BLOCK}. It checks the caller and the arguments,
 * passes the command to the manager's thread, and waits for the answer for a bounded time.
 */
@InterfaceAudience.Private
public final class OperatorDoor implements RefreshHandler {
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
  private static final String USAGE =
      "say 'undoubt BLOCK', such as undoubt blk_-9223372036854775792, or 'readmit DATANODE'";
  /**
   * The bits of a block's id that number the unit within its group. Blocks of striped files have
   * negative ids.
   */
  private static final long UNIT_BITS = 0xf;
  /**
   * The greatest length of a node's or block's name. It bounds what a caller can write into the
   * log.
   */
  private static final int NAME_MAX = 300;

  private static final Logger LOG = LoggerFactory.getLogger(OperatorDoor.class);

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
     * @param what the group or node to which the operation was applied
     * @throws IOException if the log cannot be written
     */
    void audit(String operation, String what) throws IOException;
  }

  /** Passes work to the manager's thread. */
  public interface Thread {
    /**
     * @param what the work
     * @return false if too much work waits already
     */
    boolean submit(Runnable what);
  }

  private final Guard guard;
  private final Thread thread;
  private final Operations operations;
  private final long answerMsMax;

  /**
   * Makes a handler of superusers' commands.
   *
   * @param guard checks the caller
   * @param thread passes work to the manager's thread
   * @param operations carries out the commands
   */
  public OperatorDoor(Guard guard, Thread thread, Operations operations) {
    this(guard, thread, operations, ANSWER_MS_MAX);
  }

  OperatorDoor(Guard guard, Thread thread, Operations operations, long answerMsMax) {
    this.guard = guard;
    this.thread = thread;
    this.operations = operations;
    this.answerMsMax = answerMsMax;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    String name = args.length == 0 ? "" : args[0].toLowerCase(Locale.ROOT);
    String operation = name.equals("undoubt") ? "pprUndoubt"
        : name.equals("readmit") ? "pprReadmit" : "ppr";
    try {
      // The caller is checked first, so that a caller without the right learns nothing, not even
      // which commands exist.
      guard.check(operation);
      if (operation.equals("ppr") || args.length != 2 || args[1].length() > NAME_MAX) {
        return new RefreshResponse(NOT_UNDERSTOOD, "That is not understood: " + USAGE);
      }
      return name.equals("undoubt") ? undoubt(operation, args[1]) : readmit(operation, args[1]);
    } catch (IOException | RuntimeException e) {
      return new RefreshResponse(REFUSED, PeerText.firstLine(e));
    }
  }

  private RefreshResponse undoubt(String operation, String block) throws IOException {
    long groupId;
    try {
      groupId = groupId(block);
    } catch (IllegalArgumentException e) {
      return new RefreshResponse(NOT_UNDERSTOOD, e.getMessage());
    }
    return ask(operation, "blk_" + groupId, all -> all.undoubt(groupId)
        ? new RefreshResponse(DONE, "The doubt about blk_" + groupId + " is ended")
        : new RefreshResponse(REFUSED, "There is no doubt about blk_" + groupId + " here"));
  }

  private RefreshResponse readmit(String operation, String node) throws IOException {
    return ask(operation, node, all -> all.readmit(node)
        .map(uuid -> new RefreshResponse(DONE, "DataNode " + uuid + " takes part again"))
        .orElseGet(() -> new RefreshResponse(REFUSED, "No DataNode '" + node
            + "' is kept out of repairs here; name it by its UUID, or as HOST:PORT with its"
            + " transfer port")));
  }

  /**
   * Reads a group's id from {@code blk_-16_1001}, {@code blk_-16}, {@code -16}, or from the same
   * forms of a unit's id.
   */
  static long groupId(String block) {
    String number = block.startsWith("blk_") ? block.substring("blk_".length()) : block;
    int stamp = number.indexOf('_');
    try {
      long id = Long.parseLong(stamp < 0 ? number : number.substring(0, stamp));
      if (id < 0) {
        return id & ~UNIT_BITS;
      }
    } catch (NumberFormatException e) {
      LOG.debug("'{}' is no number", number, e);
    }
    throw new IllegalArgumentException("'" + block + "' is no block of an erasure-coded file: name"
        + " it as the NameNode's log does, such as blk_-9223372036854775792");
  }

  private RefreshResponse ask(String operation, String what,
      Function<Operations, RefreshResponse> action) throws IOException {
    CompletableFuture<RefreshResponse> answer = new CompletableFuture<>();
    boolean taken = thread.submit(() -> {
      if (!answer.isDone()) {
        try {
          answer.complete(action.apply(operations));
        } catch (RuntimeException e) {
          answer.completeExceptionally(e);
        }
      }
    });
    if (!taken) {
      return new RefreshResponse(REFUSED, "Too many commands wait for the repair manager; its log"
          + " says why it does not get on");
    }
    RefreshResponse response;
    try {
      response = answer.get(answerMsMax, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      return new RefreshResponse(REFUSED, "The repair manager has not answered within "
          + answerMsMax + " ms; its log says why it does not get on");
    } catch (InterruptedException e) {
      java.lang.Thread.currentThread().interrupt();
      return new RefreshResponse(REFUSED, "The NameNode stops");
    } catch (ExecutionException e) {
      LOG.error("{} {} has failed", operation, what, e.getCause());
      return new RefreshResponse(REFUSED, "It has failed; the NameNode's log says why");
    }
    if (response.getReturnCode() == DONE) {
      guard.audit(operation, what);
      LOG.info("{}, as a superuser wishes", response.getMessage());
    }
    return response;
  }
}
