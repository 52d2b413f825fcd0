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
package org.hdfsppr.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.digest.LinearDigest.DigestFactors;
import org.junit.jupiter.api.Test;

/** Digests of whole groups, right and wrong ones. */
class TestLinearDigest {
  private static final long SEED = 20_261_126;
  private static final int K = 6;
  private static final int UNITS = 9;
  private static final RegionKernel KERNEL = Kernels.select(Kernels.AUTO);
  private static final LinearCode CODE = ReedSolomon.hadoop(K, UNITS - K);
  /** More than what is read at once, and no multiple of a piece. */
  private static final int BYTES =
      LinearDigest.PIECES * LinearDigest.PIECE_BYTES + 3 * LinearDigest.PIECE_BYTES + 1_001;

  private static final DigestKey KEY = DigestKey.plain(7);

  private final Random random = new Random(SEED);

  private static UnitSource source(byte[] bytes) {
    return new UnitSource() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void read(long offset, ByteBuffer dst) {
        dst.put(bytes, (int) offset, dst.remaining());
      }

      @Override
      public void close() {
        throw new AssertionError("the caller closes it");
      }
    };
  }

  private static int digest(byte[] bytes, DigestKey key, RegionKernel kernel) throws IOException {
    return LinearDigest.of(source(bytes), key, kernel, new FreshBuffers(), read -> { });
  }

  private static List<DigestKey> keys(long seed) {
    return List.of(DigestKey.plain(seed), DigestKey.folded(seed));
  }

  private static int digest(byte[] bytes) throws IOException {
    return digest(bytes, KEY, KERNEL);
  }

  /** Data units of different lengths, and the parity units that the code makes of them. */
  private List<byte[]> group(int... lengths) {
    List<byte[]> units = new ArrayList<>();
    for (int length : lengths) {
      byte[] unit = new byte[length];
      random.nextBytes(unit);
      units.add(unit);
    }
    for (int parity = K; parity < UNITS; parity++) {
      byte[] unit = new byte[BYTES];
      for (int data = 0; data < K; data++) {
        int factor = CODE.generator().get(parity, data);
        for (int i = 0; i < units.get(data).length; i++) {
          unit[i] ^= Gf256.mul(factor, units.get(data)[i]);
        }
      }
      units.add(unit);
    }
    return units;
  }

  private List<byte[]> group() {
    return group(BYTES, BYTES, BYTES, BYTES - 5_000, LinearDigest.PIECE_BYTES, 0);
  }

  /** Returns what both forms say. */
  private static boolean agree(List<byte[]> units) throws IOException {
    Set<Boolean> answers = new HashSet<>();
    for (DigestKey key : keys(7)) {
      Map<Integer, Integer> digests = new TreeMap<>();
      for (int unit = 0; unit < units.size(); unit++) {
        if (units.get(unit).length > 0) {
          digests.put(unit, digest(units.get(unit), key, KERNEL));
        }
      }
      answers.add(LinearDigest.agree(CODE, digests));
    }
    assertEquals(1, answers.size(), "one form sees an error, and the other one does not");
    return answers.iterator().next();
  }

  /** Memory that others give back after some waits. */
  private static final class LateMemory implements BufferSource {
    private final int waits;
    private final BufferSource memory = new FreshBuffers();
    private int waited;
    private long waitedMs;
    private String refusal;

    LateMemory(int waits) {
      this.waits = waits;
    }

    @Override
    public Lease lease(int... pieces) {
      throw new AssertionError("it waits");
    }

    @Override
    public Lease await(long msMost, int... pieces) {
      waitedMs += msMost;
      return ++waited <= waits ? null : memory.lease(pieces);
    }

    @Override
    public String refusal(int... pieces) {
      return refusal;
    }
  }

  private static int digest(byte[] bytes, BufferSource memory, LinearDigest.Watch watch)
      throws IOException {
    return LinearDigest.of(source(bytes), KEY, KERNEL, memory, watch);
  }

  /** Repairs hold memory for seconds, and a group without a digest is read over the network. */
  @Test
  void aReadingWaitsForMemory() throws Exception {
    byte[] bytes = group().get(0);
    List<Integer> read = new ArrayList<>();
    LateMemory late = new LateMemory(3);
    assertEquals(digest(bytes), digest(bytes, late, read::add));
    assertEquals(4, late.waited);
    assertEquals(List.of(0, 0, 0, LinearDigest.PIECES * LinearDigest.PIECE_BYTES,
        BYTES - LinearDigest.PIECES * LinearDigest.PIECE_BYTES), read);
  }

  /** To read it later would not help either. */
  @Test
  void memoryThatIsTooSmallIsNoMemoryThatOthersUse() {
    LateMemory small = new LateMemory(Integer.MAX_VALUE);
    small.refusal = "the memory is too small";
    IOException e = assertThrows(IOException.class, () -> digest(new byte[9], small, read -> { }));
    assertFalse(e instanceof LinearDigest.NoMemoryException);
    assertTrue(e.getMessage().contains(small.refusal), e.getMessage());
  }

  @Test
  void aReadingDoesNotWaitForEver() {
    LateMemory none = new LateMemory(Integer.MAX_VALUE);
    IOException e = assertThrows(LinearDigest.NoMemoryException.class,
        () -> digest(new byte[9], none, read -> { }));
    assertTrue(e.getMessage().contains("no buffers are free"), e.getMessage());
    assertEquals(LinearDigest.LEASE_MS_MOST, none.waitedMs);
    LateMemory ended = new LateMemory(Integer.MAX_VALUE);
    IOException end = new IOException("the job ends");
    assertSame(end, assertThrows(IOException.class, () -> digest(new byte[9], ended, read -> {
      if (ended.waited == 2) {
        throw end;
      }
    })));
  }

  @Test
  void theUnitsOfARightGroupAgree() throws Exception {
    for (int round = 0; round < 5; round++) {
      assertTrue(agree(group()), "seed " + SEED + ", round " + round);
    }
  }

  @Test
  void anyWrongByteOfAnyUnitIsSeen() throws Exception {
    List<byte[]> units = group();
    for (int unit = 0; unit < UNITS; unit++) {
      byte[] bytes = units.get(unit);
      int[] places = bytes.length == 0 ? new int[0]
          : new int[] {0, bytes.length - 1, random.nextInt(bytes.length)};
      for (int place : places) {
        int bits = 1 + random.nextInt(255);
        bytes[place] ^= bits;
        assertFalse(agree(units), "unit " + unit + " is wrong at " + place + ", seed " + SEED);
        bytes[place] ^= bits;
      }
    }
    assertTrue(agree(units));
  }

  /** The same wrong bits in two pieces would cancel each other out if both had the same factor. */
  @Test
  void equalErrorsDoNotCancelEachOtherOut() throws Exception {
    List<byte[]> units = group();
    byte[] bytes = units.get(1);
    for (int piece = 1; piece * LinearDigest.PIECE_BYTES < bytes.length; piece++) {
      bytes[5] ^= 1;
      bytes[piece * LinearDigest.PIECE_BYTES + 5] ^= 1;
      assertFalse(agree(units), "piece " + piece);
      bytes[5] ^= 1;
      bytes[piece * LinearDigest.PIECE_BYTES + 5] ^= 1;
    }
    bytes[5] ^= 1;
    bytes[6] ^= 1;
    assertFalse(agree(units));
    bytes[6] ^= 1;
    for (int part = 1; part < LinearDigest.FOLDS; part++) {
      int place = 5 + part * LinearDigest.PIECE_BYTES / LinearDigest.FOLDS;
      bytes[place] ^= 1;
      assertFalse(agree(units), "part " + part);
      bytes[place] ^= 1;
    }
  }

  /** A node that has made zeros, or an earlier unit once more. */
  @Test
  void aUnitInThePlaceOfAnotherIsSeen() throws Exception {
    List<byte[]> units = group();
    byte[] right = units.set(7, new byte[BYTES]);
    assertFalse(agree(units));
    units.set(7, units.get(8));
    assertFalse(agree(units));
    units.set(7, right);
    assertTrue(agree(units));
  }

  @Test
  void zerosBehindAUnitChangeNothing() throws Exception {
    byte[] bytes = new byte[1_000];
    random.nextBytes(bytes);
    byte[] longer = Arrays.copyOf(bytes, BYTES);
    for (DigestKey key : keys(7)) {
      assertEquals(digest(bytes, key, KERNEL), digest(longer, key, KERNEL));
      assertEquals(0, digest(new byte[BYTES], key, KERNEL));
    }
  }

  @Test
  void allKernelsGiveTheSame() throws Exception {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    Set<Integer> different = new HashSet<>();
    for (DigestKey key : keys(SEED)) {
      int expected = digest(bytes, key, KERNEL);
      for (RegionKernel kernel : Kernels.available()) {
        assertEquals(expected, digest(bytes, key, kernel), kernel.name());
      }
      different.add(expected);
    }
    for (DigestKey key : keys(SEED + 1)) {
      different.add(digest(bytes, key, KERNEL));
    }
    assertEquals(4, different.size());
  }

  /** Nodes of all versions have to agree about the factors, and so about digests. */
  @Test
  void digestsAreWhatTheyHaveAlwaysBeen() throws Exception {
    for (long seed : new long[] {0, 7, -1, SEED, Long.MIN_VALUE}) {
      DigestFactors factors = new DigestFactors(seed);
      SplittableRandom expected = new SplittableRandom(seed);
      for (int i = 0; i < 1_000_000; i++) {
        assertEquals(1 + expected.nextInt(255), factors.next(), "factor " + i + " of " + seed);
      }
    }
    byte[] bytes = new byte[BYTES];
    new Random(SEED).nextBytes(bytes);
    assertEquals(naive(bytes, KEY), digest(bytes, KEY, KERNEL));
    byte[] longest = new byte[2 * LinearDigest.PIECES * LinearDigest.PIECE_BYTES];
    new Random(SEED).nextBytes(longest);
    for (int length : new int[] {1, LinearDigest.PIECE_BYTES, LinearDigest.PIECE_BYTES + 1,
        4 * LinearDigest.PIECE_BYTES, longest.length / 2, longest.length}) {
      byte[] unit = Arrays.copyOf(longest, length);
      for (DigestKey key : keys(SEED)) {
        assertEquals(naive(unit, key), digest(unit, key, KERNEL), length + " bytes, " + key);
      }
    }
  }

  /** The digest as its picture has it, byte by byte. */
  private static int naive(byte[] unit, DigestKey key) {
    int[][] sums = new int[LinearDigest.ROWS][LinearDigest.PIECE_BYTES];
    SplittableRandom random = new SplittableRandom(key.seed);
    int round = LinearDigest.PIECES * LinearDigest.PIECE_BYTES;
    for (int begin = 0; begin < unit.length; begin += round) {
      for (int[] sum : sums) {
        for (int piece = 0; piece < LinearDigest.PIECES; piece++) {
          int factor = 1 + random.nextInt(255);
          int from = begin + piece * LinearDigest.PIECE_BYTES;
          for (int i = 0; i < LinearDigest.PIECE_BYTES && from + i < unit.length; i++) {
            sum[i] ^= Gf256.mul(factor, unit[from + i]);
          }
        }
      }
    }
    SplittableRandom folding = new SplittableRandom(key.seed ^ 0x5deece66dL);
    if (key.isFolded) {
      int length = LinearDigest.PIECE_BYTES / 16;
      for (int row = 0; row < LinearDigest.ROWS; row++) {
        int[] parts = sums[row];
        sums[row] = new int[length];
        for (int part = 0; part < 16; part++) {
          int factor = 1 + folding.nextInt(255);
          for (int i = 0; i < length; i++) {
            sums[row][i] ^= Gf256.mul(factor, parts[part * length + i]);
          }
        }
      }
    }
    int digest = 0;
    for (int[] sum : sums) {
      int folded = 0;
      for (int one : sum) {
        folded ^= Gf256.mul(1 + folding.nextInt(255), one);
      }
      digest = digest << Byte.SIZE | folded;
    }
    return digest;
  }

  @Test
  void theReadingIsFollowedAndEnds() {
    List<Integer> read = new ArrayList<>();
    IOException end = new IOException("as the test says");
    assertEquals(end, assertThrows(IOException.class, () -> LinearDigest.of(
        source(new byte[BYTES]), KEY, KERNEL, new FreshBuffers(), bytes -> {
          read.add(bytes);
          if (read.size() == 2) {
            throw end;
          }
        })));
    int first = LinearDigest.PIECES * LinearDigest.PIECE_BYTES;
    assertEquals(List.of(first, BYTES - first), read);
  }

  @Test
  void memoryIsGivenBack() throws Exception {
    BufferPool pool = new BufferPool(1 << 20);
    LinearDigest.of(source(new byte[BYTES]), KEY, KERNEL, pool, bytes ->
        assertTrue(pool.usedBytes() > 0));
    assertEquals(0, pool.usedBytes());
    assertThrows(IOException.class, () -> LinearDigest.of(source(new byte[1]), KEY, KERNEL,
        new BufferPool(0), bytes -> { }));
  }

  @Test
  void codesWithSubChunksAreRefused() throws Exception {
    LinearCode code = Codes.forCodec(new Configuration(false),
        "hitchhiker-xor", K, UNITS - K);
    assertThrows(IllegalArgumentException.class, () -> LinearDigest.agree(code, Map.of()));
  }
}
