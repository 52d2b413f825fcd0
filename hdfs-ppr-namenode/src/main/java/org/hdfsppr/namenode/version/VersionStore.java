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
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The directories of versions, and their records, through the same methods that serve clients, as
 * the NameNode's own user. Thread-safe.
 *
 * <pre>
 *   /.hdfs-ppr/versions/INODE        xattr trusted.hdfs-ppr.version: a {@link VersionRecord}
 *   /.hdfs-ppr/versions/INODE/new    the new version, until it gets the path
 *   /.hdfs-ppr/versions/INODE/old    the old version, from then on until its grace ends
 * </pre>
 */
@InterfaceAudience.Private
public final class VersionStore {
  /** Only the NameNode's own user, and superusers, get in. */
  private static final FsPermission OWN = new FsPermission((short) 0700);

  private final Supplier<? extends ClientProtocol> namenode;

  /** @param namenode returns the NameNode's methods, or null while there are none */
  public VersionStore(Supplier<? extends ClientProtocol> namenode) {
    this.namenode = namenode;
  }

  /** Returns the NameNode's methods. */
  ClientProtocol namenode() throws IOException {
    ClientProtocol methods = namenode.get();
    if (methods == null) {
      throw new RetriableException("the NameNode does not answer yet");
    }
    return methods;
  }

  /**
   * Sees to it that no other user gets into the directory of all versions, if there is one. The
   * first version makes it, so that clusters without versions have no such directory.
   *
   * @throws IOException if this NameNode is not active, or something else is at that place
   */
  void open() throws IOException {
    ActiveNameNode.check(namenode());
    if (namenode().getFileInfo(VersionNamespace.VERSIONS) != null) {
      shutOut();
    }
  }

  /** Makes the directory of all versions for the NameNode's own user alone. */
  private void make() throws IOException {
    namenode().mkdirs(VersionNamespace.VERSIONS, OWN, true);
    shutOut();
  }

  /** Shuts all other users out. */
  private void shutOut() throws IOException {
    ClientProtocol methods = namenode();
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    for (String path : List.of(VersionNamespace.ROOT, VersionNamespace.VERSIONS)) {
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
   * Makes a version's directory with its record.
   *
   * @return false if there is one already
   */
  boolean begin(VersionRecord record) throws IOException {
    String path = VersionNamespace.directory(record.inodeId());
    if (namenode().getFileInfo(VersionNamespace.VERSIONS) == null) {
      make();
    }
    if (namenode().getFileInfo(path) != null) {
      return false;
    }
    namenode().mkdirs(path, OWN, true);
    namenode().setXAttr(path, new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
        .setName(VersionNamespace.XATTR).setValue(record.toBytes()).build(),
        EnumSet.of(XAttrSetFlag.CREATE));
    return true;
  }

  /**
   * Reads a version's record.
   *
   * @return the record; empty if the directory has none
   * @throws BadRecordException if it cannot be read
   */
  Optional<VersionRecord> read(long inodeId) throws IOException {
    List<XAttr> attributes =
        namenode().getXAttrs(VersionNamespace.directory(inodeId), Collections.emptyList());
    if (attributes != null) {
      for (XAttr one : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED
            && VersionNamespace.XATTR.equals(one.getName())) {
          return Optional.of(VersionRecord.parse(one.getValue()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether a version's directory has no entry. */
  boolean isEmpty(long inodeId) throws IOException {
    DirectoryListing listing = namenode().getListing(VersionNamespace.directory(inodeId),
        new byte[0], false);
    return listing != null && listing.getPartialListing().length == 0;
  }

  /** Deletes a version's directory with all that is in it. */
  void delete(long inodeId) throws IOException {
    namenode().delete(VersionNamespace.directory(inodeId), true);
  }

  /** A page of the directory of all versions. Immutable. */
  static final class Page {
    private final List<String> names;
    private final boolean hasMore;

    private Page(List<String> names, boolean hasMore) {
      this.names = Collections.unmodifiableList(names);
      this.hasMore = hasMore;
    }

    List<String> names() {
      return names;
    }

    boolean hasMore() {
      return hasMore;
    }
  }

  /** Lists entries of the directory of all versions behind a name. */
  Page list(String after) throws IOException {
    DirectoryListing listing = namenode().getListing(VersionNamespace.VERSIONS,
        after.getBytes(StandardCharsets.UTF_8), false);
    List<String> names = new ArrayList<>();
    if (listing != null) {
      for (HdfsFileStatus status : listing.getPartialListing()) {
        names.add(status.getLocalName());
      }
    }
    return new Page(names, listing != null && listing.hasMore());
  }
}
