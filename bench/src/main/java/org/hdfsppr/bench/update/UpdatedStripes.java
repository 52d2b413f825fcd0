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
package org.hdfsppr.bench.update;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.update.StripeRacks;

/**
 * The stripes of a trace as files of a cluster, one file of one block group for each stripe, and
 * what has to be in them. A chunk is a unit of the group. Commits then make versions of the stripes
 * that have changed, and of no others. Several threads may write, each into stripes of its own.
 */
final class UpdatedStripes implements Closeable {
  private final EcCode code;
  private final long chunkBytes;
  private final Path directory;
  private final Map<Long, byte[]> contents = new TreeMap<>();
  private final Map<Long, FileUpdater> updaters = new TreeMap<>();

  /**
   * @param code the code
   * @param chunkBytes bytes of a unit, whole cells
   * @param directory an empty directory with the policy of the code, which is updatable
   */
  UpdatedStripes(EcCode code, long chunkBytes, Path directory) {
    this.code = code;
    this.chunkBytes = chunkBytes;
    this.directory = directory;
  }

  /** {@return the stripes that were made} */
  Collection<Long> numbers() {
    return Collections.unmodifiableCollection(contents.keySet());
  }

  Path file(long stripe) {
    return new Path(directory, "stripe-" + stripe);
  }

  /**
   * Makes the files.
   *
   * @param client a client of the cluster
   * @param stripes their numbers
   * @param seed of their first bytes
   */
  void make(DistributedFileSystem client, Collection<Long> stripes, long seed)
      throws IOException {
    for (long stripe : stripes) {
      byte[] content = new byte[Math.toIntExact(chunkBytes * code.dataUnits())];
      new Random(seed + stripe).nextBytes(content);
      try (OutputStream out = client.create(file(stripe), false, 1 << 16, (short) 1, chunkBytes)) {
        out.write(content);
      }
      contents.put(stripe, content);
    }
  }

  /** {@return the racks of the units of all stripes; racks count from 0} */
  Map<Long, StripeRacks> racks(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException {
    Map<Long, StripeRacks> all = new TreeMap<>();
    for (long stripe : contents.keySet()) {
      List<BlockGroup> groups = BlockGroup.of(cluster, client, file(stripe));
      List<Unit> units = groups.get(0).units;
      if (groups.size() != 1 || units.size() != code.units()) {
        throw new IOException(file(stripe) + " has " + groups.size() + " groups, the first one"
            + " with " + units.size() + " units, and should have one with " + code.units());
      }
      all.put(stripe, new StripeRacks(code.dataUnits(), cluster.spec().racks, units.stream()
          .mapToInt(unit -> cluster.spec().rackOf(unit.node) - 1).toArray()));
    }
    return all;
  }

  /** Opens all files for updates. */
  void open(PprFileSystem client) throws IOException {
    for (long stripe : contents.keySet()) {
      updaters.put(stripe, client.openForUpdate(file(stripe)));
    }
  }

  /**
   * Writes a range within one chunk, and returns when the logs of all holders have it.
   *
   * @param stripe the stripe
   * @param unit the chunk
   * @param from the first byte within the chunk
   * @param data what is written
   * @param durable whether the logs have it on disk
   */
  void write(long stripe, int unit, long from, byte[] data, boolean durable)
      throws IOException {
    FileUpdater updater = updaters.get(stripe);
    byte[] content = contents.get(stripe);
    int done = 0;
    while (done < data.length) {
      long at = from + done;
      int length = (int) Math.min(data.length - done, EcCode.CELL_BYTES - at % EcCode.CELL_BYTES);
      long cell = at / EcCode.CELL_BYTES * code.dataUnits() + unit;
      long position = cell * EcCode.CELL_BYTES + at % EcCode.CELL_BYTES;
      updater.write(position, ByteBuffer.wrap(data, done, length));
      System.arraycopy(data, done, content, Math.toIntExact(position), length);
      done += length;
    }
    if (durable) {
      updater.hsync();
    } else {
      updater.hflush();
    }
  }

  /**
   * {@return the stripes whose bytes are not what was written}
   *
   * @param client reads them
   */
  List<Long> wrong(FileSystem client) throws IOException {
    List<Long> wrong = new ArrayList<>();
    for (Map.Entry<Long, byte[]> stripe : contents.entrySet()) {
      byte[] read = new byte[stripe.getValue().length];
      try (FSDataInputStream in = client.open(file(stripe.getKey()))) {
        in.readFully(0, read);
      }
      if (!Arrays.equals(read, stripe.getValue())) {
        wrong.add(stripe.getKey());
      }
    }
    return wrong;
  }

  /** Closes all files; they can be opened again. */
  @Override
  public void close() {
    for (FileUpdater updater : updaters.values()) {
      try {
        updater.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    updaters.clear();
  }
}
