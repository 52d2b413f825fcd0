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
package org.apache.hadoop.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.PprStripedInputStream.StripedFile;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.client.files.update.LogFileUpdater;
import org.hdfsppr.client.files.update.LogSharedUpdater;
import org.hdfsppr.client.files.update.ReconnectRetry;
import org.hdfsppr.client.files.update.RetryingGroupLookup;
import org.hdfsppr.client.files.update.UpdateContext;
import org.hdfsppr.client.files.update.UpdateOverlay;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.operate.UpdateRefusedException;

/** Lets one client update files in place, and read the updates of files. Thread-safe. */
final class UpdatesOfClient implements StreamUpdates {
  /** The directory of the NameNode's plugin. Users cannot read what is in it. */
  private static final String RECORDS = "/.hdfs-ppr";

  private final DFSClient client;
  private final ReadContext context;
  private final FileSystem.Statistics statistics;
  private final UpdateContext updates;

  /** Parameters as for {@link ClientExtension#updates}. */
  UpdatesOfClient(DFSClient client, URI nameNode, ReadContext context,
      FileSystem.Statistics statistics) throws IOException {
    this.client = client;
    this.context = context;
    this.statistics = statistics;
    this.updates = new UpdateContext(new PluginUpdates(client.getConfiguration(), nameNode,
        UserGroupInformation.getCurrentUser()), context.connector, System::nanoTime,
        new SecureRandom()::nextLong);
  }

  @Override
  public boolean mayHave(String src) throws IOException {
    return hasRecords() && updates.nameNode.isUpdatable(src);
  }

  /**
   * Returns whether the NameNode may have records of updates. The plugin makes its directory before
   * any directory can be updatable, and every user may ask whether it exists. So if the NameNode
   * never had the plugin, clients do not wait for an answer of the plugin.
   */
  private boolean hasRecords() throws IOException {
    try {
      return client.getFileInfo(RECORDS) != null;
    } catch (AccessControlException e) {
      DFSClient.LOG.debug("The root directory is closed to this user, who may not see {}", RECORDS,
          e);
      return true;
    }
  }

  @Override
  public PprStripedInputStream open(StripedFile file) throws IOException {
    return new UpdatedInputStream(client, context, statistics, file,
        new UpdateOverlay(updates, file.src), () -> version(file.src, file.verifyChecksum));
  }

  /** Opens a stream of the committed version that a path has now, without updates. */
  private PprStripedInputStream version(String src, boolean verifyChecksum) throws IOException {
    LocatedBlocks located = ReconnectRetry.of(() -> client.getLocatedBlocks(src, 0));
    if (located == null || located.getErasureCodingPolicy() == null
        || located.locatedBlockCount() == 0) {
      throw new FileNotFoundException(src + " is not the file any more that was opened");
    }
    return new PprStripedInputStream(client, context, statistics,
        new StripedFile(client.getConfiguration(), src, verifyChecksum, located));
  }

  @Override
  public FileUpdater openForUpdate(String src) throws IOException {
    return LogFileUpdater.open(updates, src, updatable(src),
        new RetryingGroupLookup(() -> groupsNow(src), client::isClientRunning));
  }

  @Override
  public SharedUpdater openForSharedUpdate(String src) throws IOException {
    return new LogSharedUpdater(updates, src, updatable(src),
        new RetryingGroupLookup(() -> groupsNow(src), client::isClientRunning));
  }

  private List<LocatedGroup> updatable(String src) throws IOException {
    LocatedBlocks located = allBlocks(src);
    if (located == null) {
      throw new FileNotFoundException(src + " does not exist");
    }
    ErasureCodingPolicy policy = located.getErasureCodingPolicy();
    if (policy == null || located.isUnderConstruction()) {
      throw new UpdateRefusedException(src + (policy == null ? " is replicated, and only"
          + " erasure-coded files are updated in place" : " is open for writing; try again when"
          + " its writer has closed it"));
    }
    return groups(located, policy);
  }

  private List<LocatedGroup> groupsNow(String src) throws IOException {
    LocatedBlocks now = allBlocks(src);
    ErasureCodingPolicy code = now == null ? null : now.getErasureCodingPolicy();
    return code == null ? List.of() : groups(now, code);
  }

  private LocatedBlocks allBlocks(String src) throws IOException {
    return ReconnectRetry.of(() -> client.getLocatedBlocks(src, 0, Long.MAX_VALUE));
  }

  private static List<LocatedGroup> groups(LocatedBlocks located, ErasureCodingPolicy policy) {
    List<LocatedGroup> groups = new ArrayList<>();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      groups.add(new LocatedGroup((LocatedStripedBlock) block, policy));
    }
    return groups;
  }

  @Override
  public void close() {
    updates.close();
  }
}
