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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.version.ActiveNameNode;

/**
 * Keeps jobs in the namespace. Each job has a directory, with the text in an extended attribute.
 * Only the NameNode's own user can read them. This class is called on threads that answer no RPC,
 * so its calls have the rights of that user.
 */
@InterfaceAudience.Private
public final class NameNodeJobFolder implements JobFolder {
  /** The directory for all records of hdfs-ppr. */
  static final String ROOT = "/.hdfs-ppr";
  static final String JOBS = ROOT + "/jobs";
  /** The name of the attribute in the namespace "trusted", which only superusers can read. */
  static final String XATTR = "hdfs-ppr.job";
  private static final FsPermission ONLY_OWN = new FsPermission((short) 0700);
  /** How many directories are listed at most; the settings allow far fewer jobs. */
  private static final int IDS_MAX = 100_000;

  private final Supplier<? extends ClientProtocol> namenode;
  private final RecordStore records;

  /**
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   * @param records changes the attributes by compare-and-set
   */
  public NameNodeJobFolder(Supplier<? extends ClientProtocol> namenode, RecordStore records) {
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

  private static String path(String id) {
    return JOBS + "/" + id;
  }

  /** Makes a directory if there is none, and checks that no other user can get into it. */
  private void open(String path) throws IOException {
    HdfsFileStatus status = namenode().getFileInfo(path);
    if (status == null) {
      namenode().mkdirs(path, ONLY_OWN, false);
      status = namenode().getFileInfo(path);
    }
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    if (status == null || !status.isDirectory() || !status.getOwner().equals(user)
        || status.getPermission().getGroupAction() != FsAction.NONE
        || status.getPermission().getOtherAction() != FsAction.NONE) {
      throw new IOException(path + " must be a directory of " + user + " with the permission 700;"
          + " move away what is there, or set its owner and permission");
    }
  }

  @Override
  public List<String> ids() throws IOException {
    ActiveNameNode.check(namenode());
    if (namenode().getFileInfo(JOBS) == null) {
      // There is no job yet; the first one makes the directory.
      return new ArrayList<>();
    }
    open(ROOT);
    open(JOBS);
    List<String> ids = new ArrayList<>();
    byte[] after = new byte[0];
    DirectoryListing page;
    do {
      page = namenode().getListing(JOBS, after, false);
      if (page == null) {
        throw new FileNotFoundException(JOBS + " does not exist");
      }
      for (HdfsFileStatus one : page.getPartialListing()) {
        if (one.isDirectory()) {
          ids.add(one.getLocalName());
        }
      }
      if (ids.size() > IDS_MAX) {
        throw new IOException(JOBS + " has more than " + IDS_MAX + " directories; remove those of"
            + " jobs that have ended");
      }
      after = page.getLastName();
    } while (page.hasMore());
    return ids;
  }

  @Override
  public Optional<byte[]> read(String id) throws IOException {
    List<XAttr> attributes;
    try {
      // Asks for all attributes: a call for this one by name would fail if the directory lacks it.
      attributes = namenode().getXAttrs(path(id), Collections.emptyList());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    if (attributes != null) {
      for (XAttr one : attributes) {
        if (one.getNameSpace() == XAttr.NameSpace.TRUSTED && XATTR.equals(one.getName())) {
          return Optional.ofNullable(one.getValue());
        }
      }
    }
    return Optional.empty();
  }

  private boolean write(String id, byte[] before, byte[] text) throws IOException {
    try {
      return records.change(List.of(new RecordStore.Change(path(id), XATTR, before, text)));
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw new IOException("Jobs are kept in extended attributes of up to "
          + (JobRecord.BYTES_MAX + XATTR.length()) + " bytes, and the NameNode refuses one of "
          + text.length + " bytes (dfs.namenode.xattrs.enabled,"
          + " dfs.namenode.fs-limits.max-xattr-size): " + e.getMessage(), e);
    }
  }

  @Override
  public boolean add(String id, byte[] text) throws IOException {
    open(ROOT);
    open(JOBS);
    namenode().mkdirs(path(id), ONLY_OWN, false);
    return write(id, null, text);
  }

  @Override
  public boolean replace(String id, byte[] before, byte[] text) throws IOException {
    return write(id, before, text);
  }

  @Override
  public void remove(String id) throws IOException {
    namenode().delete(path(id), true);
  }
}
