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
package org.hdfsppr.datanode.version;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hdfsppr.datanode.replica.ReplicaSync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces finalised replicas of new versions of files to the disk, so that none is lost if all nodes
 * lose power at once. This is needed because the NameNode deletes the old version of a file soon
 * after it has published the new one.
 *
 * <p>After a loss of power, a replica can be found only if all directories on its path are on the
 * disk, too:
 *
 * <pre>
 *   VOLUME/current/POOL/current/finalized/subdirX/subdirY/blk_-1024
 * </pre>
 *
 * <p>Stock makes subdirX and subdirY when the first replica needs them. So this class forces each
 * directory from subdirY up to that of the volume. It remembers which directories' names are on the
 * disk, so that a further replica costs only a sync of subdirY. For a link this is all that is
 * needed, because its bytes are those of the old replica.
 *
 * <p>This class does not use the method by which stock syncs a directory (Hadoop's IOUtils.fsync),
 * because that method ignores errors of the disk, and does not sync the directories above.
 *
 * <p>Linux reports a failed write once, and the next sync of the same file may succeed although the
 * bytes are lost. So after a failure this class refuses the volume until the DataNode restarts, or
 * an operator removes the volume and adds it again. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReplicaSyncs implements ReplicaSync {
  /**
   * How many directories of a volume are remembered at most, with about 200 bytes each. A block
   * pool has 1,057 directories on a volume. If there are more, all are forgotten, and forced again
   * when they are needed.
   */
  static final int REMEMBERED_MAX = 8_192;

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSyncs.class);

  private final DataNode datanode;
  private final Disk disk;
  /**
   * For each volume, the {@link #identity} of each directory whose name is on the disk. If a volume
   * is removed and added again, it is another object, of which nothing is remembered.
   */
  private final Map<FsVolumeSpi, Set<String>> remembered =
      Collections.synchronizedMap(new WeakHashMap<>());
  /** The volumes on which a sync has failed, each with the text of the error. */
  private final Map<FsVolumeSpi, String> failed =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Forces files to the disk. Tests use an implementation that fails, or that records the calls.
   */
  public interface Disk {
    /** Forces files to the disk by the operating system's fsync. */
    Disk OF_SYSTEM = file -> {
      // On Linux, a file that is open only for reading can be forced, and a directory can be opened
      // only for reading.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        channel.force(true);
      }
    };

    /**
     * Forces a file or a directory to the disk.
     *
     * @param file the file or the directory
     * @throws NoSuchFileException if there is none
     * @throws IOException if it cannot be forced
     */
    void force(Path file) throws IOException;
  }

  /**
   * A replica could not be forced to the disk, or an earlier sync on the same volume has failed.
   */
  public static final class SyncException extends IOException {
    private static final long serialVersionUID = 1L;

    SyncException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /** @param datanode the DataNode whose replicas are forced */
  public ReplicaSyncs(DataNode datanode) {
    this(datanode, Disk.OF_SYSTEM);
  }

  /**
   * @param datanode the DataNode whose replicas are forced
   * @param disk forces files
   */
  public ReplicaSyncs(DataNode datanode, Disk disk) {
    this.datanode = datanode;
    this.disk = disk;
  }

  @Override
  public void force(ExtendedBlock block) throws IOException {
    batch().forceName(block);
  }

  /**
   * @return an object that forces several replicas; all of them have to be finalised before this
   *     call
   */
  public Batch batch() {
    return new Batch();
  }

  /**
   * Forces several replicas to the disk. All of them were finalised before the batch began, so that
   * one sync of a directory is enough for all replicas in it. Used by one thread.
   */
  public final class Batch {
    private final Set<Path> forced = new HashSet<>();

    private Batch() {
    }

    /**
     * Forces the name of a replica to the disk. Its bytes have to be on the disk already, or to be
     * shared with an older replica.
     *
     * @param block the block
     * @throws ReplicaNotFoundException if the replica is gone
     * @throws SyncException if the name may be lost
     * @throws IOException if the thread was interrupted
     */
    public void forceName(ExtendedBlock block) throws IOException {
      force(block, false);
    }

    /**
     * Forces the data, the checksums and the name of a replica to the disk.
     *
     * @param block the block
     * @throws ReplicaNotFoundException if the replica is gone
     * @throws SyncException if the replica may be lost
     * @throws IOException if the thread was interrupted
     */
    public void forceAll(ExtendedBlock block) throws IOException {
      force(block, true);
    }

    private void force(ExtendedBlock block, boolean isWhole) throws IOException {
      FsVolumeSpi volume = datanode.getFSDataset().getVolume(block);
      if (volume == null) {
        throw new ReplicaNotFoundException(block);
      }
      check(volume);
      BlockLocalPathInfo info =
          datanode.getFSDataset().getBlockLocalPathInfo(new ExtendedBlock(block));
      Path data = new File(info.getBlockPath()).toPath();
      try {
        if (isWhole) {
          disk.force(data);
          disk.force(new File(info.getMetaPath()).toPath());
        }
        forceName(volume, data.getParent());
        check(volume);
      } catch (NoSuchFileException | FileNotFoundException e) {
        throw (IOException) new ReplicaNotFoundException("the replica of " + block
            + " was deleted or moved meanwhile").initCause(e);
      } catch (ClosedByInterruptException e) {
        // Hadoop interrupts threads that use a volume when it removes the volume. This is no error
        // of the disk.
        throw e;
      } catch (FileSystemException e) {
        // No write was lost: the file could not be opened, for instance because this process has
        // too many files open.
        throw new SyncException("the replica of " + block + " could not be opened to force it to"
            + " the disk: " + e, e);
      } catch (IOException e) {
        failed.put(volume, e.toString());
        LOG.error("A sync on {} has failed, so that this DataNode makes nothing of new versions of"
            + " files there until it starts again: {}", volume, e.toString(), e);
        datanode.checkDiskErrorAsync(volume);
        throw new SyncException("the replica of " + block + " could not be forced to the disk: "
            + e, e);
      }
    }

    /**
     * Fails if any sync on the volume has failed. The operating system may report a lost write of
     * this replica to the sync of another thread only, so this is checked after a sync, too.
     */
    private void check(FsVolumeSpi volume) throws SyncException {
      String before = failed.get(volume);
      if (before != null) {
        throw new SyncException("a sync on " + volume + " has failed (" + before + "); this"
            + " DataNode makes nothing of new versions there until it starts again", null);
      }
    }

    private void forceName(FsVolumeSpi volume, Path directory) throws IOException {
      Path top = new File(volume.getBaseURI()).toPath();
      Set<String> known = remembered.computeIfAbsent(volume,
          none -> ConcurrentHashMap.newKeySet());
      if (!directory.startsWith(top)) {
        throw new NoSuchFileException(directory + " is not in " + top);
      }
      Set<String> named = new HashSet<>();
      forceOnce(directory);
      for (Path below = directory; !below.equals(top); below = below.getParent()) {
        String identity = identity(below);
        if (!known.contains(identity)) {
          forceOnce(below.getParent());
          named.add(identity);
        }
      }
      if (known.size() + named.size() > REMEMBERED_MAX) {
        known.clear();
      }
      known.addAll(named);
    }

    private void forceOnce(Path directory) throws IOException {
      if (!forced.contains(directory)) {
        disk.force(directory);
        forced.add(directory);
      }
    }
  }

  /**
   * Identifies a directory by its path and its inode. A directory that was moved, or deleted and
   * made again, gets another identity in most cases.
   */
  private static String identity(Path directory) throws IOException {
    return directory + " "
        + Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
  }
}
