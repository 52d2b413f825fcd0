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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The checks that all objects which answer calls of users have in common. Such an object first
 * checks that this NameNode is the active one, then that it can take the call now, then the path,
 * and then the rights of the caller. If the call is carried out, or if the caller has no right to
 * it, it writes a line to the audit log. Thread-safe, as its subclasses are.
 */
@InterfaceAudience.Private
public abstract class UserDesk {
  /** Checks the rights of the caller of the present RPC */
  protected final RpcCaller users;
  private final ConvertGate gate;
  private final Function<String, ? extends IOException> refusal;

  /**
   * @param users checks the rights of the caller of the present RPC
   * @param gate says whether this NameNode takes calls
   * @param refusal makes the exception with which calls are refused, from its message
   */
  protected UserDesk(RpcCaller users, ConvertGate gate,
      Function<String, ? extends IOException> refusal) {
    this.users = Objects.requireNonNull(users, "users");
    this.gate = gate;
    this.refusal = refusal;
  }

  /** A part of a call that throws an AccessControlException if the caller has no right to it. */
  @FunctionalInterface
  protected interface Checked<T> {
    /**
     * @return the answer
     * @throws AccessControlException if the caller has no right to this
     * @throws IOException if it is refused for another reason, or fails
     */
    T get() throws IOException;
  }

  /**
   * Refuses the call if this NameNode is a standby, or if its plugin does not know yet that it is
   * active. In safe mode the plugin is never active; then only the NameNode's own state counts,
   * because HDFS also serves reads in safe mode.
   *
   * @throws StandbyException the refusal, which makes the client turn to the other NameNode
   */
  protected final void checkActive() throws StandbyException {
    users.checkActive();
    if (!users.isInSafeMode()) {
      checkGate();
    }
  }

  private void checkGate() throws StandbyException {
    if (!gate.isActive()) {
      throw new StandbyException("The plugin of this NameNode does not know yet that the NameNode"
          + " is active");
    }
  }

  /**
   * Refuses the call in safe mode, or if the plugin does not know yet that this NameNode is active.
   *
   * @param consequence the end of the sentence that begins with "The NameNode is in safe mode",
   *     such as " and moves no blocks"
   * @throws IOException the refusal
   */
  protected final void checkSafeMode(String consequence) throws IOException {
    if (users.isInSafeMode()) {
      throw refusal.apply("The NameNode is in safe mode" + consequence
          + "; try again when it has left it ('hdfs dfsadmin -safemode get')");
    }
    // The safe mode may have ended after checkActive(), so the plugin is checked again.
    checkGate();
  }

  /**
   * Like {@link #checkSafeMode}, but during the safe mode of a start the client is asked to try
   * again. Also refuses the call if this plugin does not schedule the repairs.
   *
   * @param isStarting whether the NameNode is in the safe mode that follows its start
   * @param consequence as in {@link #checkSafeMode}
   * @throws IOException the refusal
   */
  protected final void checkCharge(boolean isStarting, String consequence) throws IOException {
    if (isStarting) {
      throw new RetriableException("The NameNode is in safe mode while it starts; try again");
    }
    checkSafeMode(consequence);
    Optional<String> why = gate.whyNoJobs();
    if (why.isPresent()) {
      throw refusal.apply(why.get());
    }
  }

  /**
   * Returns a path as the NameNode writes it.
   *
   * @param text the path as the caller has written it
   * @return the path
   * @throws IOException the refusal, if the text is no path
   */
  protected final String path(String text) throws IOException {
    try {
      // Without this, Path would take the name after two leading slashes for a host.
      return new Path(text.replaceAll("/+", Path.SEPARATOR)).toUri().getPath();
    } catch (IllegalArgumentException e) {
      throw refusal.apply("'" + text + "' is no path: " + e.getMessage());
    }
  }

  /**
   * @param path a path
   * @return the names of the directories in it, and its last name
   */
  protected static List<String> names(String path) {
    return List.of(path.split(Path.SEPARATOR));
  }

  /**
   * Refuses a path in a snapshot.
   *
   * @param path a path
   * @param instead what callers should name instead, such as "file"
   * @throws IOException the refusal
   */
  protected final void checkNoSnapshot(String path, String instead) throws IOException {
    if (names(path).contains(".snapshot")) {
      throw refusal.apply(path + " is in a snapshot, which never changes; name the " + instead
          + " itself");
    }
  }

  /**
   * Refuses a path that has "." or ".." for a name.
   *
   * @param path a path
   * @throws IOException the refusal
   */
  protected final void checkWrittenOut(String path) throws IOException {
    if (names(path).contains("..") || names(path).contains(".")) {
      throw refusal.apply(path + " is no absolute path without . and ..; write it without them");
    }
  }

  /**
   * Runs a part of a call. If the caller has no right to it, writes a line to the audit log.
   *
   * @param <T> the type of the answer
   * @param operation the name of the operation in the audit log
   * @param what the path or job to which the operation is applied
   * @param part the part of the call
   * @return the answer
   * @throws IOException the exception of the part
   */
  protected final <T> T audited(String operation, String what, Checked<T> part)
      throws IOException {
    try {
      return part.get();
    } catch (AccessControlException e) {
      users.audit(false, operation, what);
      throw e;
    }
  }
}
