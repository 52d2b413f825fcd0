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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.ChecksumException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Applies the changes of data units to a copy of a parity unit, slice by slice, and checks samples
 * of the stored copy. The check does not use the changes: it encodes samples from all data units of
 * the new version. One node of a parity unit in a rack may be its forwarder. It first gets the
 * changes that it cannot calculate itself, and keeps all changes for the nodes of the rack's other
 * parity units. The collector is the node of a parity unit in another rack that has the changes of
 * all racks, and adds them up. Used by one thread.
 */
final class ParityChange implements ReplicaChange {
  /** How long slices are under a code with sub-chunks if the changed ranges are short, bytes. */
  private static final int SLICE_BYTES_SHORT = 4 << 10;
  /** The longest slice, bytes: as long as a packet of HDFS. */
  private static final int SLICE_BYTES_LONG = 64 << 10;
  /**
   * Under a code with sub-chunks, slices are long if the changed ranges have at least this many
   * bytes on average.
   */
  private static final int MANY_BYTES = 256 << 10;
  /** At each end of a changed range, slices may exceed it by its length divided by this number. */
  private static final int ROUNDING = 32;
  private static final int WINDOW_BYTES = 1 << 20;
  /**
   * How long a cell may be under a code with sub-chunks, bytes. A window is then a whole cell,
   * which is in memory three times.
   */
  private static final int CELL_BYTES_MAX = 16 << 20;
  /** How many slices are checked at most. Four would be enough to find a wrong coefficient. */
  private static final int CHECKS_MAX = 8;
  /** How much longer than the time of this command a change is kept for other nodes, ms. */
  private static final long KEEP_MS_EXTRA = 300_000;

  private final PatchCommand command;
  private final ParitySums sums;
  private final SliceGeometry geometry;
  private final int windowBytes;
  /**
   * For each data unit, the slices whose changes its own node adds to a sum. The next two maps have
   * those that come from the forwarder and from the collector.
   */
  private final Map<Integer, BitSet> summed = new HashMap<>();
  private final Map<Integer, BitSet> forwarded = new HashMap<>();
  private final Map<Integer, BitSet> collected = new HashMap<>();
  /** For each data unit, the slices whose changes the forwarder keeps for other nodes. */
  private final Map<Integer, BitSet> kept = new HashMap<>();
  /** For each data unit, the slices whose changes this node calculates itself. */
  private final Map<Integer, BitSet> own = new HashMap<>();
  private final BitSet dirty = new BitSet();
  private final byte[] changes;

  /** @param owned the data units whose changes this node calculates itself */
  ParityChange(PatchCommand command, LinearCode code, ParitySums sums, Set<Integer> owned)
      throws IOException {
    this.command = command;
    this.sums = sums;
    this.geometry = sums.geometry(sliceBytes(command, code));
    this.windowBytes = code.subChunks() == 1 ? WINDOW_BYTES : command.made.cellBytes();
    if (windowBytes > CELL_BYTES_MAX) {
      throw new IOException("Cells of " + windowBytes + " bytes are too long to be patched, at"
          + " most " + CELL_BYTES_MAX + " are allowed");
    }
    this.changes = new byte[(int) Math.min(windowBytes, command.to().length)];
    for (PatchSource source : command.sources) {
      BitSet inSums = slices(source.summed);
      BitSet asIs = slices(source.forwarded);
      // A slice at the ends of two ranges could come in two ways, and its change would be added
      // twice. So each slice comes in one way only.
      asIs.andNot(inSums);
      // The collector has all changed slices. Only those that do not come in another way are read
      // from there.
      BitSet ofAllRacks = slices(source.collected);
      ofAllRacks.andNot(inSums);
      ofAllRacks.andNot(asIs);
      kept.put(source.unit, (BitSet) asIs.clone());
      if (owned.contains(source.unit)) {
        BitSet all = new BitSet();
        for (BitSet way : List.of(inSums, asIs, ofAllRacks)) {
          all.or(way);
          way.clear();
        }
        own.put(source.unit, all);
        dirty.or(all);
      }
      collected.put(source.unit, ofAllRacks);
      dirty.or(ofAllRacks);
      summed.put(source.unit, inSums);
      forwarded.put(source.unit, asIs);
      dirty.or(inSums);
      dirty.or(asIs);
    }
  }

  /**
   * Returns how long slices have to be so that they exceed the changed ranges only by few bytes.
   */
  private static int sliceBytes(PatchCommand command, LinearCode code) {
    long bytes = 0;
    long ends = 0;
    for (Map.Entry<Long, Long> range : command.ranges.entrySet()) {
      bytes += range.getValue() - range.getKey();
      ends |= range.getKey();
      ends |= range.getValue() == command.to().length ? 0 : range.getValue();
    }
    long average = bytes / command.ranges.size();
    if (code.subChunks() > 1) {
      return average >= MANY_BYTES ? SLICE_BYTES_LONG : SLICE_BYTES_SHORT;
    }
    // With slices of this length, all ranges begin and end where slices do.
    long aligned = ends == 0 ? SLICE_BYTES_LONG : Long.lowestOneBit(ends);
    long rounded = Long.highestOneBit(Math.max(average / ROUNDING, 1));
    return (int) Math.max(SliceGeometry.SLICE_BYTES_MIN,
        Math.min(SLICE_BYTES_LONG, Math.max(aligned, rounded)));
  }

  private BitSet slices(Map<Long, Long> ranges) {
    BitSet slices = new BitSet();
    ranges.forEach((from, to) -> {
      SliceGeometry part = geometry.covering(from, to);
      slices.set(part.firstSlice, part.slices());
    });
    return slices;
  }

  /**
   * Gets the changes that this node forwards, and keeps them for the nodes of other parity units.
   * Changes that are here from an earlier command are kept for longer. If this node cannot get one
   * of the changes, it keeps none of the new ones.
   *
   * @param store keeps the changes
   * @param directory a directory on a disk of this node
   * @param endedBecause returns why the work has to end early; null if it may go on
   * @return how many changes other nodes have sent
   * @throws ForwardedChanges.NoRoomException if there is no room for the changes at the moment
   */
  int forward(ForwardedChanges store, Path directory, Supplier<String> endedBecause)
      throws IOException {
    long keepMs = command.deadlineMs + KEEP_MS_EXTRA;
    int sent = 0;
    List<ForwardedChanges.Change> fresh = new ArrayList<>();
    List<PatchSource> known = new ArrayList<>();
    try {
      for (PatchSource source : command.sources) {
        if (renew(store, source, keepMs)) {
          known.add(source);
        } else {
          ForwardedChanges.Change change =
              store.begin(command.made.block(source.unit), directory);
          fresh.add(change);
          forward(source, change, endedBecause);
          sent += own.containsKey(source.unit) ? 0 : 1;
        }
      }
      // The time for which the changes are kept begins only now, because the NameNode orders other
      // nodes to read them only after this command.
      fresh.forEach(change -> change.keep(keepMs));
      for (PatchSource source : known) {
        if (!renew(store, source, keepMs)) {
          throw new IOException("The change of unit " + source.unit + " of " + command.made.id()
              + " was lost while others were collected");
        }
      }
    } finally {
      fresh.forEach(ForwardedChanges.Change::closeUnlessKept);
    }
    return sent;
  }

  /**
   * Returns whether this node has the whole change of a data unit that it has to keep, or need not
   * keep any. If it has the change, this method keeps it for longer.
   */
  private boolean renew(ForwardedChanges store, PatchSource source, long keepMs) {
    BitSet slices = kept.get(source.unit);
    if (slices.isEmpty()) {
      return true;
    }
    ByteRanges ranges = new ByteRanges();
    for (SliceGeometry part : windows(slices)) {
      ParitySums.runs(part, length(source), (at, length) -> ranges.add(at, at + length));
    }
    return store.renew(command.made.block(source.unit), ranges.ranges(), keepMs);
  }

  private void forward(PatchSource source, ForwardedChanges.Change change,
      Supplier<String> endedBecause) throws IOException {
    for (SliceGeometry part : windows(kept.get(source.unit))) {
      String why = endedBecause.get();
      if (why != null) {
        throw new InterruptedIOException(why);
      }
      long offset = part.offset(part.firstSlice) / windowBytes * windowBytes;
      sums.asIs(source, part, changes, offset);
      ParitySums.runs(part, length(source), (at, length) ->
          change.write(at, ByteBuffer.wrap(changes, (int) (at - offset), length)));
    }
  }

  private long length(PatchSource source) {
    return command.made.length(source.unit);
  }

  /**
   * Groups slices by the window of the unit in which they are, so that each group is one request. A
   * window has no more slices than a request can name.
   */
  private List<SliceGeometry> windows(BitSet slices) {
    List<SliceGeometry> parts = new ArrayList<>();
    int from = slices.nextSetBit(0);
    while (from >= 0) {
      long window = geometry.offset(from) / windowBytes;
      IntStream.Builder part = IntStream.builder();
      while (from >= 0 && geometry.offset(from) / windowBytes == window) {
        part.add(from);
        from = slices.nextSetBit(from + 1);
      }
      parts.add(geometry.withPicked(part.build().toArray()));
    }
    return parts;
  }

  @Override
  public int windowBytes() {
    return windowBytes;
  }

  @Override
  public void apply(long offset, ByteBuffer window) throws IOException {
    SliceGeometry part = geometry.covering(offset, offset + window.remaining());
    // Each tree of nodes costs a connection to each of them. So one tree sends all slices whose
    // changes come in the same ways.
    Map<ParitySums.Ways, IntStream.Builder> byWays = new LinkedHashMap<>();
    for (int slice = dirty.nextSetBit(part.firstSlice); slice >= 0 && slice < part.slices();
        slice = dirty.nextSetBit(slice + 1)) {
      byWays.computeIfAbsent(new ParitySums.Ways(units(summed, slice), units(forwarded, slice),
          units(collected, slice), units(own, slice)), none -> IntStream.builder()).add(slice);
    }
    for (Map.Entry<ParitySums.Ways, IntStream.Builder> slices : byWays.entrySet()) {
      SliceGeometry picked = geometry.withPicked(slices.getValue().build().toArray());
      sums.change(picked, slices.getKey(), changes, offset);
      add(picked, offset, window);
    }
  }

  /** Adds the changes of some slices to a window by XOR. The window's other bytes stay. */
  private void add(SliceGeometry part, long offset, ByteBuffer window) {
    int base = window.arrayOffset() + window.position();
    ParitySums.runs(part, command.to().length, (at, length) -> {
      int from = (int) (at - offset);
      for (int i = from; i < from + length; i++) {
        window.array()[base + i] ^= changes[i];
      }
    });
  }

  /** Returns for which units the map's set has a slice; bit i stands for unit i. */
  private static long units(Map<Integer, BitSet> slices, int slice) {
    long units = 0;
    for (Map.Entry<Integer, BitSet> unit : slices.entrySet()) {
      units |= unit.getValue().get(slice) ? 1L << unit.getKey() : 0;
    }
    return units;
  }

  /**
   * Compares samples of the changed slices of the stored parity unit with what all data units of
   * the new version give.
   *
   * @param stored the new parity unit, as it is on the disk
   * @throws ChecksumException if they differ
   */
  void check(UnitSource stored) throws IOException {
    BitSet samples = samples();
    if (!samples.isEmpty()) {
      SliceGeometry cut = geometry.subChunks() > 1 ? geometry : shortest();
      // A node that fails may have sent wrong bytes before. So samples are compared only after all
      // nodes have sent theirs without a failure.
      Map<Long, byte[]> right = new TreeMap<>();
      sums.whole(cut.withPicked(samples.stream().toArray()),
          (part, slice, rows) -> note(part, slice, rows, right));
      for (Map.Entry<Long, byte[]> run : right.entrySet()) {
        check(stored, run.getKey(), run.getValue());
      }
    }
  }

  /** Stores the bytes of a slice in a map, by their offset in the unit. */
  private void note(SliceGeometry part, int slice, SliceBuffer rows, Map<Long, byte[]> into) {
    for (int run = 0; run < part.runs(slice); run++) {
      byte[] bytes = new byte[part.lengthWithin(slice, run, command.to().length)];
      if (rows != null) {
        rows.row(run).get(bytes);
      }
      into.put(part.offset(slice, run), bytes);
    }
  }

  /**
   * Chooses the slices to check at random, but the same ones for the same block. They are as short
   * as possible, because the nodes of all data units have to send them.
   */
  private BitSet samples() {
    int[] all = dirty.stream().toArray();
    SplittableRandom random = new SplittableRandom(command.to().blockId);
    BitSet samples = new BitSet();
    for (int i = 0; i < Math.min(CHECKS_MAX, all.length); i++) {
      int slice = all.length <= CHECKS_MAX ? all[i] : all[random.nextInt(all.length)];
      if (geometry.subChunks() > 1) {
        samples.set(slice);
      } else {
        long at = geometry.offset(slice) + random.nextInt(geometry.length(slice));
        samples.set(shortest().covering(at, at + 1).firstSlice);
      }
    }
    return samples;
  }

  private SliceGeometry shortest() {
    return sums.geometry(SliceGeometry.SLICE_BYTES_MIN);
  }

  private void check(UnitSource stored, long at, byte[] right) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(right.length);
    if (right.length > 0) {
      stored.read(at, bytes);
    }
    bytes.flip();
    if (!bytes.equals(ByteBuffer.wrap(right))) {
      throw new ChecksumException("Unit " + command.unit + " of " + command.made.id()
          + " is not what its data units make from byte " + at + " on", at);
    }
  }
}
