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
package org.hdfsppr.namenode.leftover;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.UserDoor;
import org.hdfsppr.namenode.core.CoreFolder;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.LeftoverProtocol;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;

/** Answers superusers what is left, and deletes of it what may go. Thread-safe. */
@InterfaceAudience.Private
public final class LeftoverDesk implements LeftoverProtocol {
  /** How long a look may take, ms. The client waits for an answer for 10 s. */
  private static final long LOOK_MS_MAX = 8_000;

  private final VersionEngine engine;
  private final UserDoor users;
  private final Supplier<? extends ClientProtocol> namenode;
  private final LongSupplier clockMs;

  /**
   * @param engine has the directories of versions
   * @param users checks the caller of the present call
   * @param namenode returns the NameNode's methods, or null while there are none
   * @param clockMs the time, monotonic, ms
   */
  public LeftoverDesk(VersionEngine engine, UserDoor users,
      Supplier<? extends ClientProtocol> namenode, LongSupplier clockMs) {
    this.engine = engine;
    this.users = users;
    this.namenode = namenode;
    this.clockMs = clockMs;
  }

  @Override
  public Leftovers leftovers(boolean isCleared) throws IOException {
    users.checkActive();
    String operation = "pprClear" + (isCleared ? " go" : "");
    if (!users.isSuperuser()) {
      users.audit(false, operation, "");
      throw new AccessControlException("User " + users.name() + " may not do this: only superusers"
          + " may look at what hdfs-ppr keeps of all users");
    }
    if (isCleared) {
      users.audit(true, operation, "");
    }
    long endMs = clockMs.getAsLong() + LOOK_MS_MAX;
    BooleanSupplier hasTime = () -> clockMs.getAsLong() < endMs;
    Leftovers.Builder left = new Leftovers.Builder();
    engine.survey(left, isCleared, LOOK_MS_MAX / 2);
    count(left, hasTime);
    return left.build();
  }

  private void count(Leftovers.Builder left, BooleanSupplier hasTime) throws IOException {
    long[] parities = {0};
    boolean isWhole = each(CoreFolder.GROUPS, hasTime, shard ->
        each(CoreFolder.GROUPS + "/" + shard, hasTime, parity -> {
          parities[0]++;
          return true;
        }));
    isWhole &= summary(left, Kind.CORE_PARITY, CoreFolder.GROUPS, parities[0],
        "parity files of CORE groups: 'hdfs ppr -core -status' names the directories, and 'hdfs ppr"
        + " -core -unprotect DIR' ends their protection");
    isWhole &= summary(left, Kind.CORE_WORK, CoreFolder.WORK, number(CoreFolder.WORK, hasTime),
        "parity files that 0.2.0 has left, which are deleted when no snapshot has them");
    isWhole &= summary(left, Kind.UPDATE_RECORD, UpdateNamespace.ROOT,
        number(UpdateNamespace.ROOT, hasTime), "records of files with updates in place: 'hdfs ppr"
        + " -commit PATH', then 'hdfs ppr -updatable DIR -off'; a record stays for 30 days after"
        + " its file was deleted");
    if (!isWhole || !hasTime.getAsBoolean()) {
      left.unfinished("there is too much for one look; the numbers are those of some of it");
    }
  }

  private static boolean summary(Leftovers.Builder left, Kind kind, String path, long count,
      String why) {
    if (count > 0) {
      left.count(kind, State.USED, count);
      left.name(new Item(kind, State.USED, path, "", why, 0, List.of()));
    }
    return true;
  }

  private long number(String directory, BooleanSupplier hasTime) throws IOException {
    long[] number = {0};
    each(directory, hasTime, name -> {
      number[0]++;
      return true;
    });
    return number[0];
  }

  /** What is done with the name of an entry; returns false to end. */
  private interface NameAction {
    boolean accept(String name) throws IOException;
  }

  /** Returns false if there was no time for all entries. */
  private boolean each(String directory, BooleanSupplier hasTime, NameAction action)
      throws IOException {
    byte[] after = new byte[0];
    DirectoryListing page;
    do {
      try {
        page = namenode.get().getListing(directory, after, false);
      } catch (FileNotFoundException e) {
        return true;
      }
      for (HdfsFileStatus one : page == null ? new HdfsFileStatus[0] : page.getPartialListing()) {
        after = one.getLocalName().getBytes(StandardCharsets.UTF_8);
        if (!hasTime.getAsBoolean() || !action.accept(one.getLocalName())) {
          return false;
        }
      }
    } while (page != null && page.hasMore());
    return true;
  }
}
