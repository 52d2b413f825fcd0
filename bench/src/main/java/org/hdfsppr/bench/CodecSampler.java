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
package org.hdfsppr.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.it.util.EcCode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Takes samples of cases. A sample is the time of one call, in ns, in the fastest of several bursts
 * of calls.
 */
final class CodecSampler implements Closeable {
  static final String ISAL_C = "isal-c";
  static final String GFNI_C = "gfni-c";

  private static final double BURST_NANOS = 0.5e6;
  /**
   * A case runs for this time, in ns, before its first sample, so that the JVM compiles the code of
   * the case.
   */
  private static final double WARM_UP_NANOS = 100e6;

  private static final double SLOW_NANOS = 2e6;
  private static final double SLOW_TOTAL_NANOS = 100e6;
  private static final int BURSTS_MIN = 3;

  /** The program in C, or null if it has not been built. */
  private final CodecProgram program;
  private final int offset;
  private final int bursts;
  /**
   * The number of calls in a burst, for each case that has run before. A burst of this many calls
   * takes about {@link #BURST_NANOS}.
   */
  private final Map<CodecCase, Integer> burstCalls = new HashMap<>();
  private final Map<CodecCase, Integer> burstsOf = new HashMap<>();

  CodecSampler(CodecProgram program, int offset, int bursts) {
    this.program = program;
    this.offset = offset;
    this.bursts = bursts;
  }

  double sample(CodecCase what) throws IOException {
    boolean inC = what.kernel.equals(ISAL_C) || what.kernel.equals(GFNI_C);
    return inC ? fromC(what) : fromJmh(what);
  }

  private double fromC(CodecCase what) throws IOException {
    LinearCode code = EcCode.parse(what.code).code;
    return program.nanosPerCall(what.kernel.substring(0, what.kernel.length() - 2),
        CodecOperation.of(code, what.op), what.cellBytes / code.subChunks(), offset,
        BURST_NANOS, bursts);
  }

  private double fromJmh(CodecCase what) throws IOException {
    Integer calls = burstCalls.get(what);
    if (calls == null) {
      calls = warmUp(what);
      burstCalls.put(what, calls);
    }
    return run(what, calls, burstsOf.get(what));
  }

  private int warmUp(CodecCase what) throws IOException {
    double nanos = run(what, 1, 3);
    int repeats = (int) Math.max(1, Math.min(1000, WARM_UP_NANOS / 20 / nanos));
    nanos = run(what, repeats, nanos > SLOW_NANOS ? BURSTS_MIN : 20);
    // The bursts of a slow coder are long. A few of them are enough to contain one that no other
    // program disturbs.
    burstsOf.put(what, nanos < SLOW_NANOS ? bursts
        : (int) Math.max(BURSTS_MIN, Math.min(bursts, SLOW_TOTAL_NANOS / nanos)));
    return (int) Math.max(1, BURST_NANOS / nanos);
  }

  private double run(CodecCase what, int calls, int iterations) throws IOException {
    Options options = new OptionsBuilder()
        .include("^" + CodecBenchmark.class.getName().replace(".", "\\.") + "\\.burst$")
        .param("what", what.toString())
        .param("offset", String.valueOf(offset))
        .param("calls", String.valueOf(calls))
        // JMH runs the cases in this process. So the cases of a comparison run within milliseconds
        // of each other, at the same speed of the machine.
        .forks(0)
        .warmupIterations(1)
        .measurementIterations(iterations)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .build();
    Collection<RunResult> results;
    try {
      results = new Runner(options).run();
    } catch (RunnerException e) {
      throw new IOException(what + " cannot be measured: " + e.getMessage(), e);
    }
    double least = Double.MAX_VALUE;
    for (RunResult result : results) {
      for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
        least = Math.min(least, iteration.getPrimaryResult().getScore());
      }
    }
    return least / calls;
  }

  @Override
  public void close() throws IOException {
    if (program != null) {
      program.close();
    }
  }
}
