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
package org.hdfsppr.coder.gf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.code.ReedSolomon;

/**
 * Measures how fast the kernels encode RS(6,3) from Java in one thread, next to Hadoop's Java coder
 * and to copying. The best of many short rounds counts, because other programs may use the machine
 * during some of them. {@code native/test/kernel_bench.c} measures the same without Java.
 *
 * <pre>
 *   mvn -pl hdfs-ppr-coder test-compile dependency:build-classpath -Dmdep.outputFile=target/cp
 *   cd hdfs-ppr-coder
 *   java -cp target/test-classes:target/classes:$(cat target/cp) \
 *       org.hdfsppr.coder.gf.KernelBenchmark [cell size in bytes]
 * </pre>
 */
@InterfaceAudience.Private
public final class KernelBenchmark {
  private static final int K = 6;
  private static final int M = 3;
  private static final int ROUNDS = 1000;
  /** The data of a round, bytes. A round of the fastest kernel takes half a millisecond. */
  private static final double ROUND_BYTES = 2.0e7;

  private KernelBenchmark() {
  }

  public static void main(String[] args) throws IOException {
    int cell = args.length > 0 ? Integer.parseInt(args[0]) : 64 * 1024;
    ByteBuffer[] data = buffers(K, cell);
    ByteBuffer[] parity = buffers(M, cell);
    for (RegionKernel kernel : Kernels.available()) {
      RegionOperator operator = kernel.prepare(ReedSolomon.hadoop(K, M).parityCoefficients());
      measure(kernel.name(), cell, () -> operator.apply(data, parity, cell, false));
    }
    RawErasureEncoder hadoop =
        new RSRawErasureCoderFactory().createEncoder(new ErasureCoderOptions(K, M));
    measure("hadoop java", cell, () -> {
      Arrays.stream(data).forEach(ByteBuffer::clear);
      Arrays.stream(parity).forEach(ByteBuffer::clear);
      hadoop.encode(data, parity);
    });
    Arrays.stream(data).forEach(ByteBuffer::clear);
    ByteBuffer[] copies = buffers(K, cell);
    measure("memcpy", cell, () -> {
      for (int i = 0; i < K; i++) {
        copies[i].duplicate().put(data[i].duplicate());
      }
    });
  }

  private static ByteBuffer[] buffers(int count, int cell) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = ByteBuffer.allocateDirect(cell);
      for (int x = 0; x < cell; x++) {
        buffers[i].put(x, (byte) (x * 31 + i));
      }
    }
    return buffers;
  }

  private static void measure(String name, int cell, Work work) throws IOException {
    // Slow coders get less data per round, so that the whole table takes seconds.
    long began = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      work.run();
    }
    double roughNanos = (System.nanoTime() - began) / 100.0;
    long calls = (long) Math.max(1, Math.min(ROUND_BYTES / K / cell, 5.0e6 / roughNanos));
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (long c = 0; c < calls; c++) {
        work.run();
      }
      best = Math.min(best, (System.nanoTime() - start) / (double) calls);
    }
    System.out.printf("%-12s %6.2f GB/s, %.0f ns per call%n", name, K * cell / best, best);
  }

  /** One encoding, or the copy that is measured next to it. */
  private interface Work {
    void run() throws IOException;
  }
}
