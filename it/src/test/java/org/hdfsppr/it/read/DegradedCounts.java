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
package org.hdfsppr.it.read;

import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.hdfsppr.client.read.ReadCounters;

/**
 * Counts how often the project's client had to rebuild ranges. The counts are 0 for any other
 * client.
 */
public final class DegradedCounts {
  private final long trees;
  private final long treesFailed;
  private final long decodes;
  private final long stockReads;

  private DegradedCounts(long trees, long treesFailed, long decodes, long stockReads) {
    this.trees = trees;
    this.treesFailed = treesFailed;
    this.decodes = decodes;
    this.stockReads = stockReads;
  }

  public static DegradedCounts of(DistributedFileSystem fileSystem) {
    DFSClient client = fileSystem.getClient();
    if (!(client instanceof PprDFSClient) || ((PprDFSClient) client).readContext() == null) {
      return new DegradedCounts(0, 0, 0, 0);
    }
    ReadCounters counters = ((PprDFSClient) client).readContext().counters;
    return new DegradedCounts(counters.trees(), counters.treesFailed(), counters.decodes(),
        counters.stockReads());
  }

  /** Returns how many ranges were rebuilt by DataNodes or by the client. */
  public long rebuilt() {
    return trees + decodes;
  }

  @Override
  public String toString() {
    return trees + " ranges by partial sums (" + treesFailed + " attempts failed), " + decodes
        + " decoded by the client, " + stockReads + " left to stock";
  }
}
