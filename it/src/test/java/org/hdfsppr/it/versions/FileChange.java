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
package org.hdfsppr.it.versions;

import java.io.IOException;

import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.RemoteException;

/** What users do with a file, or with its directory, while a version of it is being made. */
enum FileChange {
  APPEND {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      file.content.append(client, file.path, (3L << 20) + 5, seed);
      file.takeAttributes(client);
      return file;
    }
  },
  RENAME {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      Path other = file.path.suffix("-renamed");
      require(client.rename(file.path, other), "renamed");
      return file.at(other);
    }
  },
  RENAME_DIRECTORY {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      Path folder = file.path.getParent();
      Path other = folder.suffix("-renamed");
      require(client.rename(folder, other), "renamed");
      return file.at(new Path(other, file.path.getName()));
    }
  },
  REPLACE {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      FileContent content = FileContent.write(client, file.path, VersionFile.BLOCK_BYTES,
          (5L << 20) + 7, seed);
      return file.replaced(client, content);
    }
  },
  SET_MODE {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      client.setOwner(file.path, "other-owner", "other-group");
      client.setTimes(file.path, 1_000_000_000_000L, -1);
      file.takeAttributes(client);
      return file;
    }
  },
  SET_POLICY {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      client.setErasureCodingPolicy(file.path.getParent(), VersionFile.CODES.get(2).policy());
      return file;
    }
  },
  SET_STORAGE_POLICY {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      // All volumes are disks, and both policies fall back to them, so that these move nothing.
      client.setStoragePolicy(file.path, seed % 2 == 0 ? HdfsConstants.HOT_STORAGE_POLICY_NAME
          : HdfsConstants.ONESSD_STORAGE_POLICY_NAME);
      file.takeAttributes(client);
      return file;
    }
  },
  CONCAT {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      Path more = file.path.suffix("-more");
      // New files get their directory's policy, and Hadoop wants both files to have the same.
      client.setErasureCodingPolicy(file.path.getParent(), file.policy(client));
      FileContent content =
          FileContent.write(client, more, VersionFile.BLOCK_BYTES, (7L << 20) + 1, seed);
      try {
        client.concat(file.path, new Path[] {more});
      } catch (RemoteException e) {
        require(e.getMessage().contains("different erasure coding policy"),
            "refused because the version was published just now: " + e);
        require(client.delete(more, false), "deleted");
        return file;
      }
      countQuotaAnew(client, file.path.getParent());
      file.content.add(content);
      file.takeAttributes(client);
      return file;
    }
  },
  TRUNCATE {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      try {
        client.truncate(file.path, file.content.bytes() / 2);
      } catch (RemoteException e) {
        require(e.getClassName().equals(UnsupportedOperationException.class.getName()),
            "refused as Hadoop refuses it: " + e);
        return file;
      }
      throw new IOException("Hadoop truncates striped files by now: change this test");
    }
  },
  SNAPSHOT {
    @Override
    VersionFile on(DistributedFileSystem client, VersionFile file, long seed) throws IOException {
      Path folder = file.path.getParent();
      client.allowSnapshot(folder);
      client.createSnapshot(folder, SNAPSHOT_NAME);
      return file;
    }
  };

  /** The name of the snapshot of the file's directory that {@link #SNAPSHOT} makes. */
  static final String SNAPSHOT_NAME = "s";

  /**
   * Changes the file.
   *
   * @return the file as it should be now
   */
  abstract VersionFile on(DistributedFileSystem client, VersionFile file, long seed)
      throws IOException;

  /**
   * Makes the NameNode count what a directory holds. Hadoop 3.4's concat charges striped files too
   * much: for each byte that is added, as many bytes as the code has units, less one.
   */
  private static void countQuotaAnew(DistributedFileSystem client, Path folder)
      throws IOException {
    ContentSummary summary = client.getContentSummary(folder);
    client.setQuota(folder, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
    client.setQuota(folder, summary.getQuota(), summary.getSpaceQuota());
  }

  private static void require(boolean done, String what) throws IOException {
    if (!done) {
      throw new IOException("not " + what);
    }
  }
}
