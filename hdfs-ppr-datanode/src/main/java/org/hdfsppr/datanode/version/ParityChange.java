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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.replica.ForwardedChanges;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.manage.PatchSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Adds what the changes of data units mean for a parity unit to a copy of it, slice by slice, and
 * checks samples of what was stored. The check does not use the changes: it adds up all data units
 * of the new version. If this node is the forwarder of its rack, it first gets the changes that are
 * forwarded and that it does not know, and keeps all for the others. Used by one thread.
 */
@InterfaceAudience.Private
final class ParityChange implements ReplicaChange {
  /** The bytes of a slice of a code with sub-chunks if few bytes change. */
  private static final int SLICE_BYTES_SHORT = 4 << 10;
  /** The longest slice: as long as a packet of HDFS. */
  private static final int SLICE_BYTES_LONG = 64 << 10;
  /** Ranges of a code with sub-chunks that are longer on average count as many bytes. */
  private static final int MANY_BYTES = 256 << 10;
  /** What slices may have beyond ranges: one in as many bytes at each end. */
  private static final int ROUNDING = 32;
  private static final int WINDOW_BYTES = 1 << 20;
  /** The longest cell of a code with sub-chunks, which is in memory three times, bytes. */
  private static final int CELL_BYTES_MAX = 16 << 20;
  /** How many slices are checked: with four a wrong coefficient would not get through. */
  private static final int CHECKS_MAX = 8;
  /** What a change is kept for beyond the time that this command may take, ms. */
  private static final long KEEP_MS_EXTRA = 300_000;

  private final PatchCommand command;
  private final ParitySums sums;
  private final SliceGeometry geometry;
  private final int windowBytes;
  /** By data unit, the slices whose changes are in sums, those forwarded, those collected. */
  private final Map<Integer, BitSet> summed = new HashMap<>();
  private final Map<Integer, BitSet> forwarded = new HashMap<>();
  private final Map<Integer, BitSet> collected = new HashMap<>();
  /** By data unit, the slices whose changes the forwarder keeps for others. */
  private final Map<Integer, BitSet> kept = new HashMap<>();
  /** By data unit, the slices whose changes this node knows. */
  private final Map<Integer, BitSet> own = new HashMap<>();
  private final BitSet dirty = new BitSet();
  private final byte[] changes;

  /**
   * @param owned the data units whose changes this node knows without others
   */
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
      // A slice has one way only; all parity units of the rack have the same slices.
      asIs.andNot(inSums);
      // A collector has all slices that have changed.
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

  /** Returns a length with which slices have few bytes that no range has. */
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
    // Slices of this length begin and end where ranges do.
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
   * Gets the changes that are forwarded, and keeps them for the nodes of other parity units. Those
   * that an earlier command has got are kept for longer. If one of them cannot be had, none of the
   * others takes room.
   *
   * @param store keeps them
   * @param directory a directory on a disk of this node
   * @param endedBecause says why the work has to end early; null if it goes on
   * @return the number of changes that other nodes have sent
   * @throws ForwardedChanges.NoRoomException if there is no room for them at the moment
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
      // The time of others begins now that they can be ordered to read.
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

  /** Returns whether nothing of a source is to be got, and what is there is kept for longer. */
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

  /** Puts the slices of each window together, which are at most as many as can be picked. */
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
    // One tree brings all slices that come by the same ways, because a tree costs a connection to
    // each of its nodes.
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

  /** Adds the changes of some slices to a window, and leaves all else as it is. */
  private void add(SliceGeometry part, long offset, ByteBuffer window) {
    int base = window.arrayOffset() + window.position();
    ParitySums.runs(part, command.to().length, (at, length) -> {
      int from = (int) (at - offset);
      for (int i = from; i < from + length; i++) {
        window.array()[base + i] ^= changes[i];
      }
    });
  }

  /** Returns the units that have a slice; bit i stands for unit i. */
  private static long units(Map<Integer, BitSet> slices, int slice) {
    long units = 0;
    for (Map.Entry<Integer, BitSet> unit : slices.entrySet()) {
      units |= unit.getValue().get(slice) ? 1L << unit.getKey() : 0;
    }
    return units;
  }

  /**
   * Compares what was stored with the sums of all data units of the new version, in samples of what
   * has changed.
   *
   * @param stored the new unit
   * @throws ChecksumException if they differ
   */
  void check(UnitSource stored) throws IOException {
    BitSet samples = samples();
    if (!samples.isEmpty()) {
      SliceGeometry cut = geometry.subChunks() > 1 ? geometry : shortest();
      // They are compared after all nodes have ended well. A node that fails may have sent wrong
      // bytes before.
      Map<Long, byte[]> right = new TreeMap<>();
      sums.whole(cut.withPicked(samples.stream().toArray()),
          (part, slice, rows) -> note(part, slice, rows, right));
      for (Map.Entry<Long, byte[]> run : right.entrySet()) {
        check(stored, run.getKey(), run.getValue());
      }
    }
  }

  /** Notes the bytes of a slice by their offset in the unit. */
  private void note(SliceGeometry part, int slice, SliceBuffer rows, Map<Long, byte[]> into) {
    for (int run = 0; run < part.runs(slice); run++) {
      byte[] bytes = new byte[part.lengthWithin(slice, run, command.to().length)];
      if (rows != null) {
        rows.row(run).get(bytes);
      }
      into.put(part.offset(slice, run), bytes);
    }
  }

  /** Chooses the slices that are checked. All data units send them, so they are short. */
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
