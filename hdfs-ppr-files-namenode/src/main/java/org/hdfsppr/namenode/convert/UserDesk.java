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
 * What all desks of users' calls check, with the rights of the caller. A desk first checks that
 * this NameNode is the active one, then that it takes the call now, then the path, and then the
 * rights. It writes a call that is done, or that the caller has no right to, to the audit log.
 * Thread-safe, as its subclasses are.
 */
@InterfaceAudience.Private
public abstract class UserDesk {
  /** Checks the caller of the present call */
  protected final RpcCaller users;
  private final ConvertGate gate;
  private final Function<String, ? extends IOException> refusal;

  /**
   * @param users checks the caller of the present call
   * @param gate says whether this NameNode takes calls
   * @param refusal makes the exception of this desk's callers of a sentence
   */
  protected UserDesk(RpcCaller users, ConvertGate gate,
      Function<String, ? extends IOException> refusal) {
    this.users = Objects.requireNonNull(users, "users");
    this.gate = gate;
    this.refusal = refusal;
  }

  /** A part of a call for which the caller may lack the right. */
  @FunctionalInterface
  protected interface Checked<T> {
    /**
     * @return the answer
     * @throws AccessControlException if the caller may not do it
     * @throws IOException if it is refused for another reason, or fails
     */
    T get() throws IOException;
  }

  /**
   * Refuses calls where this NameNode is standby, or its plugin does not know yet that it is
   * active. The plugin rests in safe mode, in which HDFS serves reads.
   *
   * @throws StandbyException so that callers go to the other NameNode
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
   * Refuses calls in safe mode, and where the plugin does not know yet that it is active.
   *
   * @param consequence what the NameNode does not do now, with the words before it: " and moves no
   *     blocks"
   * @throws IOException the refusal
   */
  protected final void checkSafeMode(String consequence) throws IOException {
    if (users.isInSafeMode()) {
      throw refusal.apply("The NameNode is in safe mode" + consequence
          + "; try again when it has left it ('hdfs dfsadmin -safemode get')");
    }
    // The safe mode may have ended since checkActive().
    checkGate();
  }

  /**
   * As {@link #checkSafeMode}, but callers try again while the NameNode starts; refuses calls also
   * where another scheduler is in charge of repairs.
   *
   * @param isStarting whether the NameNode is in the safe mode of its start
   * @param consequence as of {@link #checkSafeMode}
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
   * Writes a path as the NameNode has it.
   *
   * @param text what the caller has written
   * @return the path
   * @throws IOException the refusal, if that is no path
   */
  protected final String path(String text) throws IOException {
    try {
      // A path that begins with two slashes would be the name of a host.
      return new Path(text.replaceAll("/+", Path.SEPARATOR)).toUri().getPath();
    } catch (IllegalArgumentException e) {
      throw refusal.apply("'" + text + "' is no path: " + e.getMessage());
    }
  }

  /**
   * @param path a path
   * @return its names
   */
  protected static List<String> names(String path) {
    return List.of(path.split(Path.SEPARATOR));
  }

  /**
   * Refuses a path in a snapshot.
   *
   * @param path a path
   * @param instead what callers name instead: "file"
   * @throws IOException the refusal
   */
  protected final void checkNoSnapshot(String path, String instead) throws IOException {
    if (names(path).contains(".snapshot")) {
      throw refusal.apply(path + " is in a snapshot, which never changes; name the " + instead
          + " itself");
    }
  }

  /**
   * Refuses a path that is not written out.
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
   * Does a part of a call, and writes to the audit log if the caller has no right to it.
   *
   * @param <T> the answer
   * @param operation the operation in the audit log
   * @param what to what it would have been applied
   * @param part the part of the call
   * @return the answer
   * @throws IOException if the part throws it
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
