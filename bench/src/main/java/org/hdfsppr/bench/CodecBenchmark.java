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

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Runs one burst of calls of one case. JMH times each burst as a single shot, and
 * {@link CodecSampler} keeps the fastest of several bursts. Bursts are short, because on a shared
 * machine other programs would interrupt almost every longer iteration.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@InterfaceAudience.Private
public class CodecBenchmark {
  /** The case to run, as the text that {@link CodecCase#toString} returns. */
  @Param("")
  public String what;

  /** The offset in a memory page at which each buffer begins, bytes. */
  @Param("0")
  public int offset;

  /** The number of calls in a burst. */
  @Param("1")
  public int calls;

  private CodecWork work;

  /**
   * Creates the coder and the buffers of the case.
   *
   * @throws IOException if no code has the case's name
   */
  @Setup
  public void prepare() throws IOException {
    work = CodecWork.of(CodecCase.parse(what), offset);
  }

  /**
   * Runs the case {@link #calls} times.
   *
   * @throws IOException if the program in C has ended
   */
  @Benchmark
  public void burst() throws IOException {
    for (int call = 0; call < calls; call++) {
      work.run();
    }
  }
}
