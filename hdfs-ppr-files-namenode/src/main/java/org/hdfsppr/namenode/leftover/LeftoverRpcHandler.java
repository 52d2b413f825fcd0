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
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.core.CoreFolder;
import org.hdfsppr.namenode.core.KeptFiles;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.LeftoverProtocol;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;

/**
 * Answers superusers that want to remove hdfs-ppr: lists what is left below {@code /.hdfs-ppr}, and
 * deletes what may be deleted. Thread-safe.
 */
@InterfaceAudience.Private
public final class LeftoverRpcHandler implements LeftoverProtocol {
  /**
   * How long a call may take, ms. It is less than the 10 s for which a client waits for the answer.
   */
  private static final long LOOK_MS_MAX = 8_000;

  private final VersionEngine engine;
  private final KeptFiles core;
  private final RpcCaller users;
  private final Supplier<? extends ClientProtocol> namenode;
  private final LongSupplier clockMs;

  /**
   * @param engine lists, and deletes, what is left of versions
   * @param core says which parity files of dissolved CORE groups still exist, and why
   * @param users checks the rights of the caller of the present RPC
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   * @param clockMs the time, monotonic, ms
   */
  public LeftoverRpcHandler(VersionEngine engine, KeptFiles core, RpcCaller users,
      Supplier<? extends ClientProtocol> namenode, LongSupplier clockMs) {
    this.engine = engine;
    this.core = core;
    this.users = users;
    this.namenode = namenode;
    this.clockMs = clockMs;
  }

  @Override
  public Leftovers leftovers(boolean isCleared) throws IOException {
    users.checkActive();
    String operation = "pprClear" + (isCleared ? " go" : "");
    RpcCaller.requireSuperuser(users, operation, "look at what hdfs-ppr keeps of all users");
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
    Optional<Set<Long>> dissolved = core.dissolved();
    long[] used = {0};
    boolean isWhole = each(CoreFolder.GROUPS, hasTime, shard -> {
      String above = CoreFolder.GROUPS + "/" + shard.getLocalName();
      return each(above, hasTime, parity -> {
        if (dissolved.isPresent() && dissolved.get().contains(parity.getFileId())) {
          add(left, Kind.CORE_PARITY, above, parity, "its CORE group is dissolved");
        } else {
          used[0]++;
        }
        return true;
      });
    });
    summary(left, Kind.CORE_PARITY, CoreFolder.GROUPS, used[0], "parity files of CORE groups: 'hdfs"
        + " ppr -core -status' names the directories, and 'hdfs ppr -core -unprotect DIR' ends"
        + " their protection");
    long[] unknown = {0};
    isWhole &= each(CoreFolder.WORK, hasTime, work -> {
      if (dissolved.isPresent()) {
        add(left, Kind.CORE_WORK, CoreFolder.WORK, work, "0.2.0 has left it unfinished");
      } else {
        // Only counted, and not listed: a snapshot may keep Hadoop from deleting it, and then an
        // operator must not delete it by hand.
        unknown[0]++;
      }
      return true;
    });
    summary(left, Kind.CORE_WORK, CoreFolder.WORK, unknown[0], "0.2.0 has left them unfinished, and"
        + " this NameNode does not know yet whether a snapshot has them: delete nothing by hand");
    long[] records = {0};
    isWhole &= each(UpdateNamespace.ROOT, hasTime, record -> {
      records[0]++;
      return true;
    });
    summary(left, Kind.UPDATE_RECORD, UpdateNamespace.ROOT, records[0], "records of files with"
        + " updates in place: 'hdfs ppr -commit PATH', then 'hdfs ppr -updatable DIR -off'; a"
        + " record stays for 30 days after its file was deleted");
    if (!isWhole || !hasTime.getAsBoolean()) {
      left.unfinished = "there is too much for one look; the numbers are those of some of it";
    } else if (dissolved.isEmpty() && used[0] + unknown[0] > 0) {
      left.unfinished =
          "this NameNode has not read its CORE groups, or keeps none; its log says why"
          + " if that lasts. Parity files of dissolved groups, and unfinished ones, count as in"
          + " use";
    }
  }

  private static void summary(Leftovers.Builder left, Kind kind, String path, long count,
      String why) {
    if (count > 0) {
      left.count(kind, State.USED, count);
      left.name(new Item(kind, State.USED, path, "", why, 0, List.of()));
    }
  }

  /**
   * Adds a file of CORE that the plugin deletes, either now or when no snapshot keeps Hadoop from
   * doing so.
   */
  private void add(Leftovers.Builder left, Kind kind, String above, HdfsFileStatus file,
      String why) throws IOException {
    Optional<List<String>> holders = core.holders(file.getFileId());
    State state = holders.isPresent() ? State.HELD : State.FREE;
    left.count(kind, state, 1);
    left.name(new Item(kind, state, above + "/" + file.getLocalName(), "", why
        + (holders.isPresent() ? ", and Hadoop fails to delete it while a snapshot has it: delete"
            + " the snapshot, and nothing by hand"
            : ", and the NameNode deletes it within a minute; otherwise its log says why not"), 0,
        holders.orElse(List.of())));
  }

  /** What to do with an entry of a directory; returns false to stop the listing. */
  private interface EntryAction {
    boolean accept(HdfsFileStatus entry) throws IOException;
  }

  /**
   * Calls an action with each entry of a directory. Returns false if the time was over, or the
   * action returned false, before the last one.
   */
  private boolean each(String directory, BooleanSupplier hasTime, EntryAction action)
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
        if (!hasTime.getAsBoolean() || !action.accept(one)) {
          return false;
        }
      }
    } while (page != null && page.hasMore());
    return true;
  }
}
