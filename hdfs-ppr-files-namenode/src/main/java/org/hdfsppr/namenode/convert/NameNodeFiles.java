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
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.CallerAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.walk.DirectoryLister.Entry;
import org.hdfsppr.namenode.walk.DirectoryLister.Listing;

/**
 * Files and directories of the NameNode in this process. It calls the same methods that serve
 * clients. They check the rights of the user of the present RPC or, if the present thread answers
 * no RPC, of the user of the thread.
 */
@InterfaceAudience.Private
public final class NameNodeFiles implements ConvertNamespace, RpcCaller {
  /** The name of the directories in which hdfs-ppr keeps files of its own. */
  private static final String OWN_FOLDER = ".hdfs-ppr";

  private final FSNamesystem namesystem;
  private final Supplier<? extends ClientProtocol> namenode;

  /**
   * @param namesystem the NameNode
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   */
  public NameNodeFiles(FSNamesystem namesystem, Supplier<? extends ClientProtocol> namenode) {
    this.namesystem = namesystem;
    this.namenode = namenode;
  }

  private ClientProtocol namenode() throws IOException {
    ClientProtocol methods = namenode.get();
    if (methods == null) {
      throw new RetriableException("the NameNode does not answer yet");
    }
    return methods;
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> what) throws IOException {
    try {
      return UserGroupInformation.createRemoteUser(user).doAs(what);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The NameNode stops");
    } catch (UndeclaredThrowableException e) {
      throw new IOException(e.getCause());
    }
  }

  @Override
  public boolean isInSafeMode() {
    return namesystem.isInSafeMode();
  }

  @Override
  public Listing list(String user, String path, String after) throws IOException {
    DirectoryListing listing;
    try {
      listing = as(user, () -> namenode().getListing(path, after.getBytes(StandardCharsets.UTF_8),
          false));
    } catch (ParentNotDirectoryException e) {
      // A directory above has been replaced by a file.
      listing = null;
    } catch (AccessControlException e) {
      // The NameNode also throws this exception if a directory above has been replaced by a file.
      if (status(path).isPresent()) {
        throw e;
      }
      listing = null;
    }
    if (listing == null) {
      throw new FileNotFoundException(path + " does not exist");
    }
    List<Entry> entries = new ArrayList<>();
    for (HdfsFileStatus status : listing.getPartialListing()) {
      boolean isOwn = status.isDirectory() && OWN_FOLDER.equals(status.getLocalName());
      entries.add(new Entry(status.getLocalName(), status.isDirectory() && !isOwn,
          status.isFile()));
    }
    return new Listing(entries, listing.hasMore());
  }

  @Override
  public Optional<PathStatus> status(String path) throws IOException {
    HdfsFileStatus status = namenode().getFileInfo(path);
    return status == null || status.isSymlink() ? Optional.empty()
        : Optional.of(new PathStatus(status.getFileId(), status.isDirectory(), status.getLen(),
            status.getErasureCodingPolicy() == null ? null
                : status.getErasureCodingPolicy().getName()));
  }

  @Override
  public PathTotals totals(String user, String path) throws IOException {
    try {
      ContentSummary summary = as(user, () -> namenode().getContentSummary(path));
      return new PathTotals(summary.getFileCount() - summary.getSnapshotFileCount(),
          summary.getLength() - summary.getSnapshotLength());
    } catch (FileNotFoundException e) {
      return PathTotals.NONE;
    }
  }

  @Override
  public void setPolicy(String user, String directory, String policy) throws IOException {
    as(user, () -> {
      namenode().setErasureCodingPolicy(directory, policy);
      return null;
    });
  }

  @Override
  public void checkActive() throws StandbyException {
    namesystem.checkOperation(OperationCategory.WRITE);
  }

  @Override
  public String name() throws IOException {
    UserGroupInformation user = Server.getRemoteUser();
    if (user == null) {
      throw new AccessControlException("Calls of users come by RPC");
    }
    return user.getShortUserName();
  }

  @Override
  public boolean isSuperuser() throws IOException {
    return CallerAccess.isSuperuser(namesystem);
  }

  @Override
  public void checkDirectory(String directory, boolean isChanged) throws IOException {
    namenode().checkAccess(directory, isChanged ? FsAction.ALL : FsAction.READ_EXECUTE);
  }

  @Override
  public boolean mayList(String directory) throws IOException {
    return CallerAccess.mayList(namesystem, directory);
  }

  @Override
  public void checkWrite(String directory) throws IOException {
    namenode().checkAccess(directory, FsAction.WRITE);
  }

  @Override
  public void audit(boolean isAllowed, String operation, String what) throws IOException {
    CallerAccess.audit(namesystem, isAllowed, operation, what);
  }
}
