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
package org.hdfsppr.it.convert;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.cluster.UnitFiles;

/**
 * Encodes a file's data units, as they are on disks, with the raw coder of the file's policy, and
 * compares the result with the parity units on disks. A writing client does the same, cell by cell.
 */
@InterfaceAudience.Private
public final class ParityOnDisk {
  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final Configuration conf;

  /**
   * @param cluster a running cluster
   * @param client a client of the cluster
   */
  public ParityOnDisk(HdfsProcessCluster cluster, DistributedFileSystem client) {
    this.cluster = cluster;
    this.client = client;
    this.conf = cluster.clientConf();
  }

  /**
   * {@return the faults of a file's groups: units that are on no disk or on several, and parity
   * units with wrong bytes or lengths; empty if there are none}
   *
   * @param file a striped file whose units are all known to the NameNode
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public List<String> wrong(Path file) throws IOException {
    List<String> wrong = new ArrayList<>();
    ErasureCodingPolicy policy = client.getErasureCodingPolicy(file);
    if (policy == null) {
      return List.of(file + " is not striped");
    }
    List<BlockGroup> groups = BlockGroup.of(cluster, client, file);
    List<LocatedBlock> located = client.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks();
    RawErasureEncoder encoder = CodecUtil.createRawEncoder(conf, policy.getCodecName(),
        new ErasureCoderOptions(policy.getNumDataUnits(), policy.getNumParityUnits()));
    try {
      for (int i = 0; i < groups.size(); i++) {
        String fault = fault(groups.get(i), located.get(i).getBlockSize(), policy, encoder);
        if (fault != null) {
          wrong.add(file + ", group " + i + ": " + fault);
        }
      }
    } finally {
      encoder.release();
    }
    return wrong;
  }

  /** Returns the first fault of a group in words, or null. */
  private String fault(BlockGroup group, long bytes, ErasureCodingPolicy policy,
      RawErasureEncoder encoder) throws IOException {
    int k = policy.getNumDataUnits();
    int units = k + policy.getNumParityUnits();
    InputStream[] streams = new InputStream[units];
    try {
      for (int index = 0; index < units; index++) {
        long length = unitBytes(bytes, policy, index);
        List<Unit> replicas = group.replicasOf(index);
        if (length == 0 && replicas.isEmpty()) {
          streams[index] = InputStream.nullInputStream();
          continue;
        }
        if (replicas.size() != 1) {
          return "unit " + index + " is on " + replicas.size() + " nodes";
        }
        java.nio.file.Path data =
            UnitFiles.of(cluster, replicas.get(0).node, replicas.get(0).block).data;
        if (!Files.exists(data) || Files.size(data) != length) {
          return replicas.get(0) + " has not " + length + " bytes";
        }
        streams[index] = Files.newInputStream(data);
      }
      return wrongStripe(streams, bytes, policy, encoder);
    } finally {
      for (InputStream stream : streams) {
        if (stream != null) {
          stream.close();
        }
      }
    }
  }

  private static long unitBytes(long groupBytes, ErasureCodingPolicy policy, int index) {
    return org.apache.hadoop.hdfs.util.StripedBlockUtil.getInternalBlockLength(groupBytes,
        policy.getCellSize(), policy.getNumDataUnits(), index);
  }

  private static String wrongStripe(InputStream[] streams, long groupBytes,
      ErasureCodingPolicy policy, RawErasureEncoder encoder) throws IOException {
    int k = policy.getNumDataUnits();
    long stripeBytes = (long) policy.getCellSize() * k;
    for (long start = 0; start < groupBytes; start += stripeBytes) {
      // The parity cells of the last stripe are as long as its first data cell.
      int length = (int) Math.min(policy.getCellSize(), groupBytes - start);
      byte[][] data = new byte[k][];
      for (int unit = 0; unit < k; unit++) {
        // Bytes behind the end of a unit count as zeros.
        data[unit] = Arrays.copyOf(streams[unit].readNBytes(length), length);
      }
      byte[][] right = new byte[policy.getNumParityUnits()][length];
      encoder.encode(data, right);
      for (int parity = 0; parity < right.length; parity++) {
        if (!Arrays.equals(right[parity], streams[k + parity].readNBytes(length))) {
          return "unit " + (k + parity) + " is not the parity of " + policy.getName()
              + " in the stripe at " + start;
        }
      }
    }
    return null;
  }
}
