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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.FSLimitException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.RecordStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of versions, and their records. This class uses the NameNode's methods for
 * clients, as the NameNode's own user. Thread-safe.
 *
 * <pre>
 *   DIRECTORY        of a {@link VersionHome}; xattr trusted.hdfs-ppr.version: a {@link
 *                    VersionRecord}
 *   DIRECTORY/new    the new version, until it gets the path
 *   DIRECTORY/old    the old version, from then on until its grace ends
 * </pre>
 */
@InterfaceAudience.Private
public final class VersionStore {
  private static final Logger LOG = LoggerFactory.getLogger(VersionStore.class);
  /** With this permission, only the NameNode's own user and superusers can enter a directory. */
  private static final FsPermission OWN = new FsPermission((short) 0700);

  private final Supplier<? extends ClientProtocol> namenode;
  private final RecordStore records;
  /** Whether directories of versions may lie in shards, as far as this NameNode knows. */
  final ShardKnowledge shards;

  /**
   * @param namenode returns the NameNode's methods for clients; null while the NameNode has none
   * @param records changes the records in the namespace
   * @param shards whether all NameNodes of the nameservice know homes with shards. A NameNode that
   *     does not know them would neither finish nor delete versions that another one has left there
   */
  public VersionStore(Supplier<? extends ClientProtocol> namenode, RecordStore records,
      ShardKnowledge shards) {
    this.namenode = namenode;
    this.records = records;
    this.shards = shards;
  }

  /** Returns the home in which a version that begins now has its directory. */
  VersionHome home(boolean isCommit) {
    if (!shards.allKnow()) {
      return VersionHome.FLAT;
    }
    return isCommit ? VersionHome.COMMITS : VersionHome.CONVERSIONS;
  }

  /** Returns the NameNode's methods for clients. */
  ClientProtocol namenode() throws IOException {
    ClientProtocol methods = namenode.get();
    if (methods == null) {
      throw new RetriableException("the NameNode does not answer yet");
    }
    return methods;
  }

  /**
   * Makes sure that no other user can enter the homes of versions that exist. A home is created
   * only with its first version, so that clusters without versions have no such directories.
   *
   * @throws IOException if this NameNode is not active, or something else is at the path of a home
   */
  void open() throws IOException {
    ActiveNameNode.check(namenode());
    for (VersionHome home : VersionHome.values()) {
      if (namenode().getFileInfo(home.root) != null) {
        shutOut(home);
      }
    }
  }

  /** Creates a home that only the NameNode's own user can enter. */
  private void make(VersionHome home) throws IOException {
    namenode().mkdirs(home.root, OWN, true);
    shutOut(home);
  }

  /** Makes sure that no other user can enter a home. */
  private void shutOut(VersionHome home) throws IOException {
    ClientProtocol methods = namenode();
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    for (String path : List.of(VersionNamespace.ROOT, home.root)) {
      HdfsFileStatus status = methods.getFileInfo(path);
      if (status == null || !status.isDirectory()) {
        throw new IOException(path + " is no directory");
      }
      if (!status.getOwner().equals(own)) {
        methods.setOwner(path, own, null);
      }
      if (!status.getPermission().equals(OWN)) {
        methods.setPermission(path, OWN);
      }
    }
  }

  /**
   * Creates a version's directory with its record.
   *
   * @return false if the file has a version's directory already, in any home
   * @throws VersionStopException if the home can have no further entry
   */
  boolean begin(VersionRecord record) throws IOException, VersionStopException {
    if (namenode().getFileInfo(record.home.root) == null) {
      make(record.home);
    }
    for (VersionHome home : VersionHome.values()) {
      if (namenode().getFileInfo(home.directory(record.inodeId)) != null) {
        return false;
      }
    }
    try {
      namenode().mkdirs(record.directory(), OWN, true);
    } catch (FSLimitException.MaxDirectoryItemsExceededException e) {
      throw new VersionStopException(RefusalReason.FULL, record.home.root + " has as many"
          + " entries as HDFS lets a directory have (dfs.namenode.fs-limits.max-directory-items);"
          + " versions are made again when graces of old versions have ended");
    }
    return records.change(List.of(new RecordStore.Change(record.directory(),
        VersionNamespace.XATTR, null, record.toBytes())));
  }

  /**
   * Reads a version's record.
   *
   * @param home the home in which its directory lies
   * @return the record; empty if the directory has none
   * @throws BadRecordException if it cannot be read, or belongs to another directory
   */
  Optional<VersionRecord> read(VersionHome home, long inodeId) throws IOException {
    String directory = home.directory(inodeId);
    List<XAttr> attributes = namenode().getXAttrs(directory, Collections.emptyList());
    if (attributes != null) {
      for (XAttr one : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED
            && VersionNamespace.XATTR.equals(one.getName())) {
          VersionRecord record = VersionRecord.parse(one.getValue());
          if (!record.directory().equals(directory)) {
            throw new BadRecordException(BadRecordException.Why.CORRUPT, "it is that of "
                + record.directory());
          }
          return Optional.of(record);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether a version's directory has no entry. */
  boolean isEmpty(VersionHome home, long inodeId) throws IOException {
    DirectoryListing listing =
        namenode().getListing(home.directory(inodeId), new byte[0], false);
    return listing != null && listing.getPartialListing().length == 0;
  }

  /** Deletes a version's directory with all that is in it. */
  void delete(VersionHome home, long inodeId) throws IOException {
    namenode().delete(home.directory(inodeId), true);
  }

  /** Returns whether a version's directory exists. */
  boolean isThere(VersionHome home, long inodeId) throws IOException {
    return namenode().getFileInfo(home.directory(inodeId)) != null;
  }

  /** Deletes a directory that has no entry. Does nothing if it has one, or does not exist. */
  void deleteIfEmpty(String directory) throws IOException {
    try {
      namenode().delete(directory, false);
    } catch (PathIsNotEmptyDirectoryException e) {
      LOG.trace("{} has got an entry", directory, e);
    }
  }

  /** Some entries of a directory. Immutable. */
  static final class Page {
    final List<String> names;
    final boolean hasMore;

    private Page(List<String> names, boolean hasMore) {
      this.names = Collections.unmodifiableList(names);
      this.hasMore = hasMore;
    }
  }

  /**
   * Lists entries of a directory whose names come after a given name; none if there is no such
   * directory.
   */
  Page list(String directory, String after) throws IOException {
    DirectoryListing listing = namenode().getListing(directory,
        after.getBytes(StandardCharsets.UTF_8), false);
    List<String> names = new ArrayList<>();
    if (listing != null) {
      for (HdfsFileStatus status : listing.getPartialListing()) {
        names.add(status.getLocalName());
      }
    }
    return new Page(names, listing != null && listing.hasMore() && !names.isEmpty());
  }
}
