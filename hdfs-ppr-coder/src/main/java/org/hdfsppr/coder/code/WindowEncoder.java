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
package org.hdfsppr.coder.code;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;

/**
 * Encodes whole windows, see {@link CodingWindow}. Immutable and thread-safe.
 *
 * <p>The generator of a code with sub-chunks is sparse, and most kernels also spend time on zero
 * coefficients. The encoder therefore divides the computation into steps with few inputs, whose
 * matrices have few zeros.
 *
 * <p>In Hitchhiker codes, most parity sub-chunks equal the parities of the remainder code plus a
 * few terms. If the kernel skips zeros, a single step encodes all parity sub-chunks and reads the
 * data only once. With other kernels, the encoder first applies the remainder code to all
 * sub-chunks, and then adds the few terms.
 *
 * <p>A code may name steps itself, see {@link LinearCode#encodingSteps}. In LESS, a step computes
 * the parity sub-chunks of one extended sub-stripe from its data and from earlier parities.
 *
 * <p>In Rotated RS, a step computes those parity sub-chunks that depend on the same data
 * sub-chunks, and reads only these.
 *
 * <p>All steps process one slice of the sub-chunks before the first step begins with the next
 * slice. Data that two steps read are then still in the processor's cache.
 */
@InterfaceAudience.Public
public final class WindowEncoder {
  /**
   * How many bytes of each sub-chunk a slice has at most. With 14 units of two sub-chunks, a slice
   * of all sub-chunks has 448 KiB and fits into a second-level cache.
   */
  private static final int SLICE_BYTES_MOST = 16384;
  /**
   * How many bytes of all sub-chunks together a slice has at most. Each sub-chunk has at least
   * {@link #SLICE_BYTES_UNIT} bytes nevertheless.
   */
  private static final int SLICE_BYTES_TOGETHER = 448 << 10;
  /**
   * Like {@link #SLICE_BYTES_TOGETHER}, but for codes that name their steps. It is larger, because
   * a step uses only a part of the sub-chunks: in LESS, 23 of 56, which have 368 KiB in a slice.
   * Longer slices save calls of the kernel.
   */
  private static final int SLICE_BYTES_OF_NAMED_STEPS = 896 << 10;
  /**
   * The length of a slice is a multiple of this, bytes. With slices of whole pages, each slice of a
   * sub-chunk is aligned in memory like the sub-chunk itself.
   */
  private static final int SLICE_BYTES_UNIT = 4096;

  private final LinearCode code;
  private final RegionKernel kernel;
  /**
   * Encodes k data units into m parity units with the remainder code, each byte position on its
   * own. It is null if the code has no remainder code.
   */
  private final RegionOperator positionWise;
  /**
   * Whether {@link #positionWise} encodes each slice of all sub-chunks before the steps, which then
   * add to its results.
   */
  private final boolean positionWiseFirst;
  /** Whether a single step encodes all sub-chunks from the data. */
  private final boolean atOnce;
  private final List<Step> steps = new ArrayList<>();
  /** The bytes of each sub-chunk in a slice. */
  private final int sliceBytes;

  /**
   * Prepares an encoder of a code.
   *
   * @param code the code
   * @param kernel multiplies and adds the bytes
   */
  public WindowEncoder(LinearCode code, RegionKernel kernel) {
    this.code = code;
    this.kernel = kernel;
    int together = (code.encodingSteps().isEmpty() ? SLICE_BYTES_TOGETHER
        : SLICE_BYTES_OF_NAMED_STEPS) / (code.units() * code.subChunks());
    this.sliceBytes = Math.max(SLICE_BYTES_UNIT,
        Math.min(SLICE_BYTES_MOST, together / SLICE_BYTES_UNIT * SLICE_BYTES_UNIT));
    this.positionWise =
        code.remainderCode().map(r -> kernel.prepare(r.parityCoefficients())).orElse(null);
    if (code.subChunks() == 1) {
      this.positionWiseFirst = true;
      this.atOnce = false;
      return;
    }
    if (!code.encodingSteps().isEmpty()) {
      this.positionWiseFirst = false;
      this.atOnce = false;
      code.encodingSteps().forEach(this::addStep);
      return;
    }
    GfMatrix whole = code.parityCoefficients();
    GfMatrix rest = positionWise == null ? whole : beyondPositionWise(whole);
    // The factor 2 is for memory accesses: several steps read and write more bytes for each
    // multiplication than a single operator for the whole matrix does.
    boolean little = positionWise != null && 2 * nonZeros(rest) < nonZeros(whole);
    int[] bySub = rowsBySub();
    this.atOnce = little && kernel.skipsZeros(whole.rows(bySub));
    this.positionWiseFirst = little && !atOnce;
    if (atOnce) {
      steps.add(new Step(kernel.prepare(whole.rows(bySub)),
          IntStream.range(0, whole.columns()).toArray(), bySub));
    } else if (little) {
      addSteps(rest, whole);
    } else {
      addSteps(whole, null);
    }
  }

  /**
   * Returns the indices of all parity sub-chunks: first sub-chunk 0 of each unit, then sub-chunk 1,
   * and so on.
   */
  private int[] rowsBySub() {
    int s = code.subChunks();
    int m = code.parityUnits();
    return IntStream.range(0, m * s).map(i -> i % m * s + i / m).toArray();
  }

  private GfMatrix beyondPositionWise(GfMatrix whole) {
    GfMatrix base = positionWise.coefficients();
    int s = code.subChunks();
    return GfMatrix.generate(whole.rows(), whole.columns(), (r, c) ->
        whole.get(r, c) ^ (r % s == c % s ? base.get(r / s, c / s) : 0));
  }

  private static int nonZeros(GfMatrix matrix) {
    return IntStream.range(0, matrix.rows()).map(r -> support(matrix, r).length).sum();
  }

  private static int[] support(GfMatrix matrix, int row) {
    return IntStream.range(0, matrix.columns()).filter(c -> matrix.get(row, c) != 0).toArray();
  }

  /** Adds a step that {@link LinearCode#encodingSteps} of the code has. */
  private void addStep(EncodingStep step) {
    GfMatrix coefficients = code.express(step.outputs(), step.inputs()).stream()
        .map(row -> row.orElseThrow(() -> new IllegalArgumentException(
            code.name() + " cannot encode " + step)))
        .reduce(GfMatrix::stack).orElseThrow();
    int firstParity = code.dataUnits() * code.subChunks();
    steps.add(new Step(kernel.prepare(coefficients),
        step.inputs().stream().mapToInt(this::index).toArray(),
        step.outputs().stream().mapToInt(this::index).map(i -> i - firstParity).toArray()));
  }

  private int index(SubChunk subChunk) {
    return subChunk.unit() * code.subChunks() + subChunk.sub();
  }

  /**
   * Adds the steps that compute parity sub-chunks with a matrix, or add terms to them. A step has
   * all rows that use the same columns.
   *
   * @param matrix for each parity sub-chunk, the coefficients with which the steps compute the
   *     sub-chunk, or the terms that the steps add to it
   * @param whole the coefficients of the finished parity sub-chunks, or null. If a row of {@code
   *     matrix} equals the row of another parity sub-chunk in {@code whole}, a last step adds that
   *     finished sub-chunk, and no step adds the terms of the row
   */
  private void addSteps(GfMatrix matrix, GfMatrix whole) {
    Map<List<Integer>, List<Integer>> rowsBySupport = new LinkedHashMap<>();
    List<Step> last = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); row++) {
      int[] support = support(matrix, row);
      if (support.length == 0 && whole == null) {
        // No step would write this parity, so its buffer would keep its previous content.
        throw new IllegalArgumentException(code.name() + " has a parity that is always zero");
      }
      int same = whole == null || support.length < 2 ? -1 : find(matrix.row(row), whole);
      if (same >= 0 && same != row && find(matrix.row(same), whole) < 0) {
        last.add(new Step(kernel.prepare(GfMatrix.identity(1)),
            new int[] {matrix.columns() + same}, new int[] {row}));
      } else if (support.length > 0) {
        List<Integer> key = new ArrayList<>();
        Arrays.stream(support).forEach(key::add);
        rowsBySupport.computeIfAbsent(key, none -> new ArrayList<>()).add(row);
      }
    }
    rowsBySupport.forEach((support, rows) -> {
      int[] from = support.stream().mapToInt(Integer::intValue).toArray();
      int[] to = rows.stream().mapToInt(Integer::intValue).toArray();
      steps.add(new Step(kernel.prepare(matrix.rows(to).columns(from)), from, to));
    });
    steps.addAll(last);
  }

  private static int find(byte[] row, GfMatrix matrix) {
    return IntStream.range(0, matrix.rows()).filter(r -> Arrays.equals(matrix.row(r), row))
        .findFirst().orElse(-1);
  }

  /** {@return the code with which this object encodes} */
  public LinearCode code() {
    return code;
  }

  /**
   * Computes the parity units of one window. The window consists of {@code length} bytes of every
   * buffer, from the buffer's position on. Positions and limits stay as they are. The previous
   * content of the parity buffers does not matter.
   *
   * @param data k buffers
   * @param parity m buffers; they share no byte with each other or with the data
   * @param length bytes of each buffer
   * @throws IllegalArgumentException if there are not k and m buffers, if a buffer has fewer bytes
   *     remaining, if a parity is read-only, or if the code cannot encode a window of that length;
   *     the encoder has then written nothing
   * @throws NullPointerException if a buffer is missing
   */
  public void encode(ByteBuffer[] data, ByteBuffer[] parity, int length) {
    CodingWindow window = new CodingWindow(code, length);
    check("data", data, code.dataUnits(), length);
    check("parity", parity, code.parityUnits(), length);
    if (code.subChunks() == 1) {
      positionWise.apply(data, parity, length, false);
      return;
    }
    if (atOnce) {
      // A single step reads no data twice, so that slices would save no time.
      Step step = steps.get(0);
      step.operator.apply(views(data, step.from, window), views(parity, step.to, window),
          window.subChunkLength(), false);
    } else {
      encodeInSlices(data, parity, window);
    }
    if (window.remainderLength() > 0) {
      positionWise.apply(tails(data, window), tails(parity, window), window.remainderLength(),
          false);
    }
  }

  private void encodeInSlices(ByteBuffer[] data, ByteBuffer[] parity, CodingWindow window) {
    Regions from = new Regions(data, window);
    Regions to = new Regions(parity, window);
    Regions all = from.followedBy(to);
    int h = window.subChunkLength();
    for (int start = 0; start < h; start += sliceBytes) {
      int bytes = Math.min(sliceBytes, h - start);
      all.moveTo(start);
      if (positionWiseFirst) {
        for (int sub = 0; sub < code.subChunks(); sub++) {
          positionWise.apply(from.ofSub(sub), to.ofSub(sub), bytes, false);
        }
      }
      for (Step step : steps) {
        step.operator.apply(all.views, step.from, to.views, step.to, bytes, positionWiseFirst);
      }
    }
  }

  private void check(String what, ByteBuffer[] buffers, int count, int length) {
    if (buffers.length != count) {
      throw new IllegalArgumentException(code.name() + " has " + count + " " + what
          + " units, not " + buffers.length);
    }
    for (int i = 0; i < count; i++) {
      if (buffers[i] == null) {
        throw new NullPointerException(code.name() + ": " + what + " unit " + i + " is missing");
      }
      if (buffers[i].remaining() < length) {
        throw new IllegalArgumentException(code.name() + ": " + what + " unit " + i + " has "
            + buffers[i].remaining() + " bytes remaining, " + length + " are needed");
      }
      if (what.equals("parity") && buffers[i].isReadOnly()) {
        throw new IllegalArgumentException(code.name() + ": parity unit " + i + " is read-only");
      }
    }
  }

  /**
   * Returns a view of each of the given sub-chunks.
   *
   * @param subChunks indices of the sub-chunks, counted unit after unit
   */
  private static ByteBuffer[] views(ByteBuffer[] units, int[] subChunks, CodingWindow window) {
    ByteBuffer[] views = new ByteBuffer[subChunks.length];
    for (int i = 0; i < views.length; i++) {
      ByteBuffer unit = units[subChunks[i] / window.subChunks()];
      views[i] = unit.duplicate();
      views[i].position(unit.position() + window.offsetOf(subChunks[i] % window.subChunks()));
    }
    return views;
  }

  private static ByteBuffer[] tails(ByteBuffer[] units, CodingWindow window) {
    ByteBuffer[] tails = new ByteBuffer[units.length];
    for (int u = 0; u < units.length; u++) {
      tails[u] = units[u].duplicate();
      tails[u].position(units[u].position() + window.remainderOffset());
    }
    return tails;
  }

  /**
   * An operator, with the indices of the sub-chunks that it reads (data first, then parity) and of
   * the parity sub-chunks that it writes.
   */
  private static final class Step {
    private final RegionOperator operator;
    private final int[] from;
    private final int[] to;

    Step(RegionOperator operator, int[] from, int[] to) {
      this.operator = operator;
      this.from = from;
      this.to = to;
    }
  }

  /**
   * Views of the sub-chunks of some units, unit after unit. {@link #moveTo} moves all views at
   * once.
   */
  private static final class Regions {
    private final ByteBuffer[] views;
    private final int[] starts;
    private final int subChunks;

    Regions(ByteBuffer[] units, CodingWindow window) {
      this(window.subChunks(), units.length * window.subChunks());
      for (int r = 0; r < views.length; r++) {
        ByteBuffer unit = units[r / subChunks];
        views[r] = unit.duplicate();
        starts[r] = unit.position() + window.offsetOf(r % subChunks);
      }
    }

    private Regions(int subChunks, int size) {
      this.subChunks = subChunks;
      this.views = new ByteBuffer[size];
      this.starts = new int[size];
    }

    /** Returns these regions, followed by {@code others}. The result shares the views of both. */
    Regions followedBy(Regions others) {
      Regions both = new Regions(subChunks, views.length + others.views.length);
      System.arraycopy(views, 0, both.views, 0, views.length);
      System.arraycopy(starts, 0, both.starts, 0, views.length);
      System.arraycopy(others.views, 0, both.views, views.length, others.views.length);
      System.arraycopy(others.starts, 0, both.starts, views.length, others.views.length);
      return both;
    }

    void moveTo(int offset) {
      for (int r = 0; r < views.length; r++) {
        views[r].position(starts[r] + offset);
      }
    }

    ByteBuffer[] ofSub(int sub) {
      ByteBuffer[] chosen = new ByteBuffer[views.length / subChunks];
      for (int unit = 0; unit < chosen.length; unit++) {
        chosen[unit] = views[unit * subChunks + sub];
      }
      return chosen;
    }
  }
}
