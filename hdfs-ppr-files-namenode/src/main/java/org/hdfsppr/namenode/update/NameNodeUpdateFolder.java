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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/**
 * Keeps the records of updates in the namespace. It calls the same methods of the NameNode that
 * serve clients. The records are attributes of these directories:
 *
 * <pre>
 *   /.hdfs-ppr/updates            the latest term that was given
 *   /.hdfs-ppr/updates/UUID       the inode of a file, or since when it is gone, and its commits
 *   /.hdfs-ppr/updates/UUID/N     the terms and holders of block group N of a file
 * </pre>
 *
 * The terms are here, and not in attributes of the file itself: an attribute holds 16 KB and a file
 * has at most 32 attributes, which is too little for a file of many groups. Each change of a term
 * writes a few hundred bytes into the edit log. Like the jobs of conversions, the records survive
 * restarts and failovers. This class is called on threads that answer no RPC, so its calls have the
 * rights of the NameNode's own user.
 */
@InterfaceAudience.Private
public final class NameNodeUpdateFolder implements UpdateFolder {
  private static final String TOP = "/.hdfs-ppr";
  private static final String INODES = "/.reserved/.inodes/";
  private static final Pattern UUID_NAME =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern GROUP_NAME = Pattern.compile("[0-9]{1,8}");
  private static final FsPermission ONLY_OWN = new FsPermission((short) 0700);

  private final Supplier<? extends ClientProtocol> namenode;
  private final RecordStore records;

  /**
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   * @param records changes attributes by compare-and-set
   */
  public NameNodeUpdateFolder(Supplier<? extends ClientProtocol> namenode, RecordStore records) {
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
  public long root() throws IOException {
    HdfsFileStatus root = namenode().getFileInfo(UpdateNamespace.ROOT);
    if (root == null) {
      namenode().mkdirs(UpdateNamespace.ROOT, ONLY_OWN, true);
      root = namenode().getFileInfo(UpdateNamespace.ROOT);
    }
    shutOut();
    return root.getFileId();
  }

  /**
   * Makes the directories accessible to the NameNode's user alone, even if another user has made
   * one of that name earlier.
   */
  private void shutOut() throws IOException {
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    for (String path : List.of(TOP, UpdateNamespace.ROOT)) {
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

  private static String path(UUID file) {
    return UpdateNamespace.ROOT + "/" + file;
  }

  private static String path(UUID file, int group) {
    return path(file) + "/" + group;
  }

  @Override
  public OptionalLong find(UUID file) throws IOException {
    return inode(path(file));
  }

  private OptionalLong inode(String path) throws IOException {
    HdfsFileStatus status = namenode().getFileInfo(path);
    return status == null ? OptionalLong.empty() : OptionalLong.of(status.getFileId());
  }

  @Override
  public long make(UUID file) throws IOException {
    return make(path(file));
  }

  private long make(String path) throws IOException {
    root();
    namenode().mkdirs(path, ONLY_OWN, true);
    return inode(path).orElseThrow(() -> new IOException(path + " was made and is gone"));
  }

  @Override
  public List<UUID> files(UUID after) throws IOException {
    List<UUID> files = new ArrayList<>();
    String last = after == null ? "" : after.toString();
    boolean mayHaveMore = true;
    // None of the names of a page may be a UUID; an empty result would then end the caller's pass
    // too early.
    while (files.isEmpty() && mayHaveMore) {
      DirectoryListing page = list(UpdateNamespace.ROOT, last);
      for (HdfsFileStatus entry : page.getPartialListing()) {
        last = entry.getLocalName();
        if (UUID_NAME.matcher(last).matches()) {
          files.add(UUID.fromString(last));
        }
      }
      mayHaveMore = page.hasMore();
    }
    return files;
  }

  private DirectoryListing list(String path, String after) throws IOException {
    DirectoryListing page = namenode().getListing(path,
        after.getBytes(StandardCharsets.UTF_8), false);
    return page != null ? page : new DirectoryListing(new HdfsFileStatus[0], 0);
  }

  @Override
  public List<Integer> groups(UUID file) throws IOException {
    List<Integer> groups = new ArrayList<>();
    String last = "";
    boolean hasMore = true;
    while (hasMore) {
      DirectoryListing page = list(path(file), last);
      for (HdfsFileStatus entry : page.getPartialListing()) {
        last = entry.getLocalName();
        if (GROUP_NAME.matcher(last).matches()) {
          groups.add(Integer.parseInt(last));
        }
      }
      hasMore = page.hasMore();
    }
    return groups;
  }

  @Override
  public void deleteGroups(UUID file) throws IOException {
    for (int group : groups(file)) {
      namenode().delete(path(file, group), true);
    }
  }

  @Override
  public void delete(UUID file) throws IOException {
    namenode().delete(path(file), true);
  }

  @Override
  public OptionalLong find(UUID file, int group) throws IOException {
    return inode(path(file, group));
  }

  @Override
  public long make(UUID file, int group) throws IOException {
    return make(path(file, group));
  }

  @Override
  public Optional<String> updatable(long directory) throws IOException {
    // Asks for all attributes: a call for this one by name would fail if the directory lacks it.
    List<XAttr> attributes = namenode().getXAttrs(INODES + directory, Collections.emptyList());
    return attributes == null ? Optional.empty() : attributes.stream().filter(one ->
        one.getNameSpace() == XAttr.NameSpace.TRUSTED
            && UpdateNamespace.UPDATABLE_XATTR.equals(one.getName()))
        .map(one -> new String(one.getValue(), StandardCharsets.UTF_8)).findFirst();
  }

  @Override
  public boolean setUpdatable(long directory, String value) throws IOException {
    Optional<String> before = updatable(directory);
    if (before.equals(Optional.ofNullable(value))) {
      return false;
    }
    if (value != null) {
      // Clients find out by the root directory whether this cluster uses updates.
      root();
    }
    TermRecord.require(records.change(List.of(new RecordStore.Change(directory,
        UpdateNamespace.UPDATABLE_XATTR, bytes(before.orElse(null)), bytes(value)))));
    return true;
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
