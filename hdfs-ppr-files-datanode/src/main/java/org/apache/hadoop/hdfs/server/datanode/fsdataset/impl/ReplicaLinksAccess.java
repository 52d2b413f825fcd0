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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.util.AutoCloseableLock;
import org.hdfsppr.loader.HadoopMembers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes replicas that share the files of other replicas of the same DataNode. The files of a
 * replica say neither the block's id nor its generation stamp, so that hard links of them under the
 * names of another block are a replica of that block.
 *
 * <pre>
 *   finalized/.../blk_-512  blk_-512_1001.meta     the old replica
 *        |            |
 *   tmp/blk_-1024  tmp/blk_-1024_1002.meta         the new one, temporary
 *        |            |
 *   finalized/.../blk_-1024  blk_-1024_1002.meta   the new one, finalised
 * </pre>
 *
 * <p>This class makes a link by the steps, and under the locks, by which stock receives a replica
 * from another DataNode. The new replica is temporary until it is finalised; a DataNode deletes
 * temporary replicas when it restarts. A finalised replica survives a power cut once its name is on
 * the disk, see {@link org.hdfsppr.datanode.version.ReplicaSyncs}. Stock never changes the bytes of
 * a finalised replica of a striped block, and unlinks the files of other replicas before it appends
 * to them or truncates them.
 *
 * <p>This class uses members of stock's dataset that are not public. {@link #missing()} lists those
 * that the running Hadoop lacks. Hadoop 3.3.6, 3.4.3 and 3.5.0 have all of them. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReplicaLinksAccess {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaLinksAccess.class);

  private final DataNode datanode;
  private final DatasetLocks locks;
  private final LinkFiles files;

  private ReplicaLinksAccess(DataNode datanode, DatasetLocks locks, LinkFiles files) {
    this.datanode = datanode;
    this.locks = locks;
    this.files = files;
  }

  /**
   * Finds out whether the running Hadoop has all members that this class uses.
   *
   * @return the members that are missing or have another type; empty if replicas can be linked
   */
  public static List<String> missing() {
    return missing(HadoopMembers.inPackageOf(ReplicaLinksAccess.class));
  }

  static List<String> missing(HadoopMembers.Classes classes) {
    HadoopMembers hadoop = new HadoopMembers(classes);
    lookUp(classes, hadoop);
    return hadoop.missing();
  }

  private static DatasetLocks lookUp(HadoopMembers.Classes classes, HadoopMembers hadoop) {
    hadoop.field("FsDatasetImpl", "volumeMap", ReplicaMap.class);
    hadoop.method("FsDatasetImpl", "finalizeBlock", void.class, ExtendedBlock.class,
        boolean.class);
    hadoop.method("FsDatasetImpl", "unfinalizeBlock", void.class, ExtendedBlock.class);
    hadoop.method("ReplicaMap", "get", ReplicaInfo.class, String.class, long.class);
    hadoop.method("ReplicaMap", "add", ReplicaInfo.class, String.class, ReplicaInfo.class);
    hadoop.method("FsVolumeImpl", "createTemporary", ReplicaInPipeline.class,
        ExtendedBlock.class);
    hadoop.method("FsVolumeImpl", "obtainReference", FsVolumeReference.class);
    hadoop.method("FsVolumeImpl", "incDfsUsed", void.class, String.class, long.class);
    return DatasetLocks.find(classes, hadoop);
  }

  /**
   * Makes an object that links replicas of a DataNode.
   *
   * @param datanode the DataNode whose replicas are linked
   * @param files links files
   * @return the object
   * @throws IOException if this version of Hadoop lacks a member
   */
  public static ReplicaLinksAccess of(DataNode datanode, LinkFiles files) throws IOException {
    HadoopMembers.Classes classes = HadoopMembers.inPackageOf(ReplicaLinksAccess.class);
    HadoopMembers hadoop = new HadoopMembers(classes);
    DatasetLocks locks = lookUp(classes, hadoop);
    if (!hadoop.missing().isEmpty()) {
      throw new IOException("this Hadoop lacks " + String.join(", ", hadoop.missing()));
    }
    return new ReplicaLinksAccess(datanode, locks, files);
  }

  private FsDatasetImpl dataset() throws IOException {
    if (!(datanode.getFSDataset() instanceof FsDatasetImpl)) {
      throw new IOException("the DataNode stores replicas in " + datanode.getFSDataset()
          + ", in which nothing can be linked");
    }
    return (FsDatasetImpl) datanode.getFSDataset();
  }

  /**
   * Looks for the finalised replica of a block.
   *
   * @param block the block, with the generation stamp and the length that its replica must have
   * @return the replica; null if the DataNode has no replica of the block
   * @throws ReplicaAlreadyExistsException if there is a replica in another state, with another
   *     generation stamp or another length, or without its data file
   * @throws IOException if the DataNode does not store replicas in stock's dataset
   */
  public FinalisedReplica finalised(ExtendedBlock block) throws IOException {
    ReplicaInfo found = dataset().volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    if (found == null) {
      return null;
    }
    String difference = difference(found, block);
    if (difference != null) {
      throw new ReplicaAlreadyExistsException(block + " is here already, but " + difference);
    }
    return new FinalisedReplica(found.getStorageUuid(), found.getVolume().getStorageType());
  }

  /**
   * Returns how a replica differs from a finalised one with the block's generation stamp and
   * length; null if it does not.
   */
  private static String difference(ReplicaInfo replica, ExtendedBlock block) {
    if (replica.getState() != ReplicaState.FINALIZED) {
      return "its replica is " + replica.getState();
    }
    if (replica.getGenerationStamp() != block.getGenerationStamp()) {
      return "its replica has the generation stamp " + replica.getGenerationStamp();
    }
    if (replica.getNumBytes() != block.getNumBytes()) {
      return "its replica has " + replica.getNumBytes() + " bytes";
    }
    if (replica.getBlockDataLength() != block.getNumBytes()) {
      return "the data file of its replica has " + replica.getBlockDataLength() + " bytes";
    }
    return null;
  }

  /**
   * Looks for the replica from which a link or a copy is made.
   *
   * @param block the block, with the generation stamp and the length that its replica must have
   * @return the replica
   * @throws ReplicaNotFoundException if there is no such finalised replica
   * @throws IOException if the replica is not on a disk of this DataNode
   */
  public FinalisedReplica source(ExtendedBlock block) throws IOException {
    ReplicaInfo found = sourceInfo(block);
    return new FinalisedReplica(found.getStorageUuid(), found.getVolume().getStorageType());
  }

  private ReplicaInfo sourceInfo(ExtendedBlock block) throws IOException {
    ReplicaInfo found = dataset().volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    if (found == null) {
      throw new ReplicaNotFoundException("there is no replica of " + block + " here");
    }
    String difference = difference(found, block);
    if (difference != null) {
      throw new ReplicaNotFoundException("there is no finalised replica of " + block
          + " of " + block.getNumBytes() + " bytes here, " + difference);
    }
    StorageType type = found.getVolume().getStorageType();
    if (type.isTransient() || type == StorageType.PROVIDED
        || !(found.getVolume() instanceof FsVolumeImpl)) {
      throw new IOException("the replica of " + block + " is on " + type + " storage, which keeps"
          + " no replica for good");
    }
    return found;
  }

  /**
   * Makes a finalised replica of a new block, with hard links of another block's files. The caller
   * then forces its name to the disk, and calls {@link #reportLinked} after that, or {@link #drop}
   * if that has failed. If this method fails, the DataNode has no replica of the new block, unless
   * another thread has written one.
   *
   * @param from the old block, with the generation stamp and length of its finalised replica
   * @param to the new block, with its generation stamp; it gets the same length
   * @return the new replica
   * @throws ReplicaAlreadyExistsException if there is a replica of the new block in any state
   * @throws ReplicaNotFoundException if there is no such replica of the old block, or if it is
   *     deleted meanwhile
   * @throws NoLinkException if the volume cannot make hard links; a copy may still succeed
   * @throws IOException if anything else failed
   */
  public FinalisedReplica link(ExtendedBlock from, ExtendedBlock to) throws IOException {
    FsDatasetImpl dataset = dataset();
    ReplicaInfo old = sourceInfo(from);
    FsVolumeImpl volume = (FsVolumeImpl) old.getVolume();
    // While this reference is open, stock does not close the volume.
    FsVolumeReference reference = volume.obtainReference();
    try {
      return link(dataset, old, volume, to);
    } finally {
      reference.close();
    }
  }

  private FinalisedReplica link(FsDatasetImpl dataset, ReplicaInfo old, FsVolumeImpl volume,
      ExtendedBlock to) throws IOException {
    ReplicaInPipeline replica = begin(dataset, volume, to);
    boolean finalised = false;
    try {
      files.done(LinkStep.BEGUN);
      long bytes = share(old, replica.getReplicaInfo());
      replica.setNumBytes(old.getNumBytes());
      finish(dataset, to, old.getNumBytes());
      finalised = true;
      // Stock has just added these bytes to the used space a second time. The link takes no space,
      // and the volume would look fuller than it is, so this line subtracts them. When one of the
      // two replicas is deleted, stock subtracts them once more, although the other one keeps them.
      // The next measurement of the used space (fs.du.interval) corrects that.
      volume.incDfsUsed(to.getBlockPoolId(), -bytes);
    } finally {
      if (!finalised) {
        forget(dataset, to, replica);
      }
    }
    files.done(LinkStep.FINALISED);
    return new FinalisedReplica(volume.getStorageID(), volume.getStorageType());
  }

  /**
   * Adds a temporary replica on this volume. Stock's createTemporary does the same, but chooses the
   * volume itself.
   */
  private ReplicaInPipeline begin(FsDatasetImpl dataset, FsVolumeImpl volume, ExtendedBlock to)
      throws IOException {
    String pool = to.getBlockPoolId();
    AutoCloseableLock lock = locks.lock(dataset, pool, volume.getStorageID());
    try {
      ReplicaInfo other = dataset.volumeMap.get(pool, to.getBlockId());
      if (other != null) {
        throw new ReplicaAlreadyExistsException(to + " is here already, as " + other.getState());
      }
      // A link needs no space, so the replica begins with a length of 0, for which stock reserves
      // none.
      ReplicaInPipeline replica = volume.createTemporary(withLength(to, 0));
      dataset.volumeMap.add(pool, replica.getReplicaInfo());
      return replica;
    } finally {
      lock.close();
    }
  }

  /**
   * Makes hard links of the data file and the meta file. Returns how many bytes both have together.
   */
  private long share(ReplicaInfo old, ReplicaInfo replica) throws IOException {
    Path data = Paths.get(replica.getBlockURI());
    Path meta = Paths.get(replica.getMetadataURI());
    Path oldData = Paths.get(old.getBlockURI());
    Path oldMeta = Paths.get(old.getMetadataURI());
    try {
      // Stock has made an empty data file for the temporary replica. The link needs its name.
      Files.deleteIfExists(data);
      files.link(data, oldData);
      files.done(LinkStep.DATA_LINKED);
      files.link(meta, oldMeta);
      files.done(LinkStep.META_LINKED);
    } catch (NoSuchFileException e) {
      throw (IOException) new ReplicaNotFoundException("the replica of " + old.getBlockId()
          + " was deleted or moved meanwhile").initCause(e);
    } catch (UnsupportedOperationException | FileSystemException e) {
      throw new NoLinkException("the volume " + old.getVolume() + " cannot link " + oldData + ": "
          + e, e);
    }
    long dataBytes = Files.size(data);
    if (dataBytes != old.getNumBytes()) {
      throw new IOException("the data file of " + old + " has " + dataBytes + " bytes, not "
          + old.getNumBytes());
    }
    return dataBytes + Files.size(meta);
  }

  private static void finish(FsDatasetImpl dataset, ExtendedBlock to, long length)
      throws IOException {
    // The flag false leaves out stock's sync of the directory, which ignores errors of the disk.
    // The caller syncs the directory itself.
    dataset.finalizeBlock(withLength(to, length), false);
  }

  /**
   * Removes the temporary replica and its files. On an interrupted thread, Hadoop does not change
   * its maps of replicas. So this method clears the interrupt, and restores it in the end.
   */
  private static void forget(FsDatasetImpl dataset, ExtendedBlock to, ReplicaInPipeline replica) {
    boolean interrupted = Thread.interrupted();
    try {
      replica.releaseAllBytesReserved();
      if (dataset.volumeMap.get(to.getBlockPoolId(), to.getBlockId()) != null) {
        dataset.unfinalizeBlock(to);
      } else {
        // The NameNode has ordered the deletion of the replica meanwhile, perhaps before its files
        // were linked.
        Files.deleteIfExists(Paths.get(replica.getReplicaInfo().getBlockURI()));
        Files.deleteIfExists(Paths.get(replica.getReplicaInfo().getMetadataURI()));
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("The unfinished link to {} stays until this DataNode starts again: {}", to,
          e.toString(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reports a linked replica to the NameNode. The caller has forced its name to the disk.
   *
   * @param block the block, with its generation stamp and length
   * @param replica the replica that {@link #link} has made
   * @throws IOException only in tests, see {@link LinkFiles#done}
   */
  public void reportLinked(ExtendedBlock block, FinalisedReplica replica) throws IOException {
    files.done(LinkStep.DURABLE);
    report(block, replica);
  }

  /**
   * Deletes a replica that {@link #link} has made, but that was never reported, so that no
   * published version contains it. The old replica keeps its files.
   *
   * @param block the block
   */
  public void drop(ExtendedBlock block) {
    try {
      dataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
    } catch (IOException e) {
      LOG.debug("The link to {} is gone already, or its volume is", block, e);
    }
  }

  /**
   * Reports a finalised replica to the NameNode, perhaps not for the first time.
   *
   * @param block the block, with its generation stamp and length
   * @param replica the replica that {@link #finalised} or {@link #link} has returned
   */
  public void report(ExtendedBlock block, FinalisedReplica replica) {
    datanode.notifyNamenodeReceivedBlock(new ExtendedBlock(block), null, replica.storageId,
        replica.storageType.isTransient());
  }

  private static ExtendedBlock withLength(ExtendedBlock block, long length) {
    ExtendedBlock copy = new ExtendedBlock(block);
    copy.setNumBytes(length);
    return copy;
  }

  /** Where a finalised replica is. Immutable. */
  public static final class FinalisedReplica {
    /** Id of the storage */
    public final String storageId;
    /** Type of the storage */
    public final StorageType storageType;

    FinalisedReplica(String storageId, StorageType storageType) {
      this.storageId = storageId;
      this.storageType = storageType;
    }
  }

  /**
   * Takes the lock under which stock adds a replica to a volume. Hadoop 3.3 has one lock for all
   * replicas of a DataNode. Hadoop 3.4 has a tree of locks: one for each block pool, and below it
   * one for each volume. Hadoop 3.5 has, below that, one for each directory. A thread that holds
   * the lock of a volume excludes all threads that want a lock of one of its directories.
   */
  static final class DatasetLocks {
    /** The one lock of Hadoop 3.3; null on newer versions. */
    private final Field oneLock;
    /** The locks of newer versions; null on Hadoop 3.3. */
    private final VolumeLocks volumes;

    private DatasetLocks(Field oneLock, VolumeLocks volumes) {
      this.oneLock = oneLock;
      this.volumes = volumes;
    }

    /**
     * Finds out which of these locks the running Hadoop has.
     *
     * @param classes finds classes of this package
     * @param hadoop takes note of what is missing if the running Hadoop has none of them
     * @return the locks; null if something is missing
     */
    static DatasetLocks find(HadoopMembers.Classes classes, HadoopMembers hadoop) {
      HadoopMembers former = new HadoopMembers(classes);
      Field oneLock = former.field("FsDatasetImpl", "datasetWriteLock", AutoCloseableLock.class);
      if (oneLock != null) {
        return new DatasetLocks(oneLock, null);
      }
      VolumeLocks volumes = VolumeLocks.find(hadoop);
      return volumes == null ? null : new DatasetLocks(null, volumes);
    }

    /** Waits for the lock of a volume. The caller closes the returned lock. */
    AutoCloseableLock lock(FsDatasetImpl dataset, String poolId, String storageId) {
      return oneLock == null ? volumes.lock(dataset, poolId, storageId)
          : HadoopMembers.get(oneLock, dataset, AutoCloseableLock.class).acquire();
    }
  }

  /**
   * Takes the locks of volumes in Hadoop 3.4 and later. The types of these locks do not exist in
   * Hadoop 3.3, so this class calls their public methods by reflection.
   */
  static final class VolumeLocks {
    private static final String MANAGER =
        "org.apache.hadoop.hdfs.server.common.DataNodeLockManager";

    private final Method manager;
    private final Method writeLock;
    private final Object volumeLevel;

    private VolumeLocks(Method manager, Method writeLock, Object volumeLevel) {
      this.manager = manager;
      this.writeLock = writeLock;
      this.volumeLevel = volumeLevel;
    }

    /**
     * Looks up the methods that take a lock.
     *
     * @param hadoop takes note of what is missing
     * @return the locks; null if something is missing
     */
    static VolumeLocks find(HadoopMembers hadoop) {
      try {
        ClassLoader loader = VolumeLocks.class.getClassLoader();
        Class<?> type = Class.forName(MANAGER, false, loader);
        Class<?> levels = Class.forName(MANAGER + "$LockLevel", false, loader);
        Object volume = Arrays.stream(levels.getEnumConstants())
            .filter(level -> level.toString().equals("VOLUME")).findFirst().orElse(null);
        Method manager = FsDatasetSpi.class.getMethod("acquireDatasetLockManager");
        Method writeLock = type.getMethod("writeLock", levels, String[].class);
        if (volume != null && type.isAssignableFrom(manager.getReturnType())
            && AutoCloseableLock.class.isAssignableFrom(writeLock.getReturnType())) {
          return new VolumeLocks(manager, writeLock, volume);
        }
        hadoop.note("locks of volumes (" + manager + ", " + writeLock + ", level " + volume + ")");
      } catch (ClassNotFoundException | NoSuchMethodException e) {
        hadoop.note("locks of volumes (" + e + ")");
      }
      return null;
    }

    AutoCloseableLock lock(FsDatasetImpl dataset, String poolId, String storageId) {
      try {
        return (AutoCloseableLock) writeLock.invoke(manager.invoke(dataset), volumeLevel,
            new String[] {poolId, storageId});
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("The volume " + storageId + " cannot be locked: "
            + e.getCause(), e.getCause());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("Public, yet not: " + writeLock, e);
      }
    }
  }
}
