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
package org.hdfsppr.namenode.core;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.version.ActiveNameNode;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps CORE groups and protected directories in the namespace. It calls the same methods of the
 * NameNode that serve clients.
 */
@InterfaceAudience.Private
public final class NameNodeCoreFolder implements CoreFolder {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeCoreFolder.class);
  private static final String TOP = "/.hdfs-ppr";
  private static final String DIRECTORIES = ROOT + "/directories";
  private static final String INODES = "/.reserved/.inodes/";
  private static final FsPermission ONLY_OWN = new FsPermission((short) 0700);
  /** How many entries one of CORE's own directories may have: as many as HDFS allows by default. */
  private static final int NAMES_MAX = 1 << 20;

  private final Supplier<? extends ClientProtocol> namenode;
  private final RecordStore records;

  /**
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   * @param records changes the attributes by compare-and-set
   */
  public NameNodeCoreFolder(Supplier<? extends ClientProtocol> namenode, RecordStore records) {
    this.namenode = namenode;
    this.records = records;
  }

  private ClientProtocol namenode() throws IOException {
    ClientProtocol methods = namenode.get();
    if (methods == null) {
      throw new RetriableException("the NameNode does not answer yet");
    }
    return methods;
  }

  @Override
  public void open() throws IOException {
    ActiveNameNode.check(namenode());
    if (namenode().getFileInfo(ROOT) != null) {
      shutOut();
    }
  }

  /**
   * Makes a directory below {@link #ROOT}, if there is none, and makes the root accessible to the
   * NameNode's own user alone.
   */
  private void make(String path) throws IOException {
    if (namenode().getFileInfo(path) == null) {
      namenode().mkdirs(path, ONLY_OWN, true);
      shutOut();
    }
  }

  private void shutOut() throws IOException {
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    for (String path : List.of(TOP, ROOT)) {
      HdfsFileStatus status = namenode().getFileInfo(path);
      if (status == null || !status.isDirectory()) {
        throw new IOException(path + " is no directory; move away what is there");
      }
      if (!status.getOwner().equals(own)) {
        namenode().setOwner(path, own, null);
      }
      if (!status.getPermission().equals(ONLY_OWN)) {
        namenode().setPermission(path, ONLY_OWN);
      }
    }
  }

  /**
   * Returns whether an inode with this id is in the namespace, and not only in snapshots. For one
   * that only a snapshot has, HDFS looks up the path that the inode had. There may be another one
   * now, so the ids are compared.
   */
  private boolean isThere(long inodeId) throws IOException {
    try {
      HdfsFileStatus status = namenode().getFileInfo(INODES + inodeId);
      return status != null && status.getFileId() == inodeId;
    } catch (FileNotFoundException | ParentNotDirectoryException | UnresolvedPathException
        | AssertionError e) {
      // A file or symlink is now in the place of a directory above. For some such paths the
      // NameNode throws an AssertionError.
      LOG.debug("The inode {} has no path", inodeId, e);
      return false;
    }
  }

  @Override
  public Optional<Page> list(long inodeId, String after) throws IOException {
    if (!isThere(inodeId)) {
      return Optional.empty();
    }
    DirectoryListing listing;
    try {
      listing = namenode().getListing(INODES + inodeId, after.getBytes(StandardCharsets.UTF_8),
          false);
    } catch (FileNotFoundException e) {
      listing = null;
    }
    if (listing == null) {
      return Optional.empty();
    }
    List<Entry> entries = new ArrayList<>();
    String last = after;
    for (HdfsFileStatus status : listing.getPartialListing()) {
      last = status.getLocalName();
      if (!status.isSymlink() && !last.isEmpty()) {
        entries.add(new Entry(last, status.getFileId(), status.isDirectory(),
            policy(status.getErasureCodingPolicy()), status.getLen(),
            status.getModificationTime()));
      }
    }
    return Optional.of(new Page(entries, last, listing.hasMore()));
  }

  private static PolicyFacts policy(ErasureCodingPolicy policy) {
    return policy == null || policy.isReplicationPolicy() ? null
        : new PolicyFacts(policy.getName(), new GroupPolicy(policy.getCodecName(),
            policy.getNumDataUnits(), policy.getNumParityUnits(), policy.getCellSize()), true);
  }

  private List<String> names(String path) throws IOException {
    return new ArrayList<>(inodes(path).keySet());
  }

  /** Returns the inode ids of all entries of a directory, by their names. */
  private Map<String, Long> inodes(String path) throws IOException {
    Map<String, Long> inodes = new LinkedHashMap<>();
    byte[] after = new byte[0];
    DirectoryListing page;
    do {
      page = namenode().getListing(path, after, false);
      if (page == null) {
        return inodes;
      }
      for (HdfsFileStatus one : page.getPartialListing()) {
        inodes.put(one.getLocalName(), one.getFileId());
      }
      if (inodes.size() > NAMES_MAX) {
        throw new IOException(path + " has more than " + NAMES_MAX + " entries");
      }
      after = page.getLastName();
    } while (page.hasMore());
    return inodes;
  }

  @Override
  public List<Long> protectedIds() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (String name : names(DIRECTORIES)) {
      try {
        ids.add(Long.parseLong(name));
      } catch (NumberFormatException e) {
        LOG.warn("{}/{} is no protected directory, because its name is no inode id", DIRECTORIES,
            PeerText.oneLine(name));
      }
    }
    return ids;
  }

  @Override
  public boolean protect(long inodeId, byte[] before, byte[] attribute) throws IOException {
    if (!isThere(inodeId)) {
      throw new FileNotFoundException("The directory with inode " + inodeId + " is gone");
    }
    make(DIRECTORIES);
    namenode().mkdirs(DIRECTORIES + "/" + inodeId, ONLY_OWN, true);
    return change(inodeId, CoreNamespace.XATTR, before, attribute);
  }

  private boolean change(long inodeId, String name, byte[] before, byte[] after)
      throws IOException {
    return records.change(List.of(new RecordStore.Change(inodeId, name, before, after)));
  }

  @Override
  public boolean unprotect(long inodeId, byte[] before) throws IOException {
    try {
      // If the caller has read no attribute, this changes nothing, and only checks that there is
      // still none.
      if (isThere(inodeId) && !change(inodeId, CoreNamespace.XATTR, before, null)) {
        return false;
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The directory {} that was protected is gone", inodeId, e);
    }
    namenode().delete(DIRECTORIES + "/" + inodeId, true);
    return true;
  }

  /** Returns an attribute; empty if the inode has none of that name. */
  private Optional<byte[]> attribute(long inodeId, String name) throws IOException {
    if (!isThere(inodeId)) {
      throw new FileNotFoundException("The inode " + inodeId + " is gone");
    }
    // Asks for all attributes: a call for this one by name would fail if the inode lacks it.
    List<XAttr> attributes = namenode().getXAttrs(INODES + inodeId, Collections.emptyList());
    if (attributes != null) {
      for (XAttr one : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED && name.equals(one.getName())) {
          return Optional.ofNullable(one.getValue());
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public List<String> shards() throws IOException {
    return names(GROUPS);
  }

  @Override
  public List<String> parities(String shard) throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : names(GROUPS + "/" + shard)) {
      if (isElsewhere(shard, name)) {
        LOG.warn("{}/{} is no parity file of a CORE group, because it lies in the wrong directory",
            shard, PeerText.oneLine(name));
      } else {
        names.add(name);
      }
    }
    return names;
  }

  private static boolean isElsewhere(String shard, String name) {
    try {
      return !CoreFolder.shard(Long.parseLong(name)).equals(GROUPS + "/" + shard);
    } catch (NumberFormatException e) {
      LOG.trace("{} is no inode id, as its reader will say", PeerText.oneLine(name),
          PeerText.oneLine(e));
      return false;
    }
  }

  @Override
  public Optional<byte[]> record(long inodeId) throws IOException {
    return attribute(inodeId, XATTR);
  }

  @Override
  public void publish(long inodeId, byte[] record) throws IOException {
    String path = CoreFolder.parity(inodeId);
    HdfsFileStatus made = namenode().getFileInfo(path);
    if (made == null || made.getFileId() != inodeId) {
      throw new IOException(path + " is not the file that was made");
    }
    if (!change(inodeId, XATTR, null, record)) {
      throw new IOException(path + " has a record already");
    }
  }

  @Override
  public void delete(long inodeId) throws IOException {
    String path = CoreFolder.parity(inodeId);
    HdfsFileStatus there = namenode().getFileInfo(path);
    if (there != null && there.getFileId() == inodeId) {
      namenode().delete(path, false);
    }
  }

  @Override
  public void makeShards() throws IOException {
    for (int shard = 0; shard <= SHARD_MASK; shard++) {
      make(CoreFolder.shard(shard));
    }
  }

  @Override
  public Map<String, Long> works() throws IOException {
    return inodes(WORK);
  }

  @Override
  public void deleteWork(String name) throws IOException {
    namenode().delete(WORK + "/" + name, true);
  }
}
