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
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh codec}: compares how many bytes per second coders process on one core. */
@Command(name = "codec", mixinStandardHelpOptions = true,
    description = "Gigabytes per second that coders process on one core, side by side and beside "
        + "memcpy.",
    footer = {"",
        "Operations, and the bytes that count as processed (a gigabyte is 10^9 bytes):",
        "  encode    all parities of a stripe; its data: k cells",
        "  decode-1  data unit 0 from what its cheapest recipe reads; k cells, also where a code",
        "            reads less",
        "  decode-m  as many lost units as there are parities; k cells",
        "  partial   what one helper of a chain does for data unit 0, out ^= c * in; one cell",
        "  delta     what a change of one data unit changes in all parities; one cell",
        "memcpy copies these bytes, in the same round.",
        "",
        "Kernels: java, isal, gfni are ours, called from Java. isal-c and gfni-c are the same",
        "products called from C, for codes without sub-chunks. hadoop-java and hadoop-legacy are",
        "the coders in Java of Hadoop's codecs rs and rs-legacy, which have no partial and no",
        "delta. Encoding goes through the encoder that policies use, everything else is one",
        "product of a matrix and (parts of) cells. All buffers are direct.",
        "",
        "In each round each case gives one sample, the best of some bursts of half a millisecond,",
        "and the cases of one operation follow each other immediately. Judge by the ratios."})
@InterfaceAudience.Private
public final class CodecBench implements Callable<Integer> {
  private static final List<String> RS = List.of("rs-6-3", "rs-10-4", "rs-12-4");
  private static final List<String> QUICK_CODES =
      List.of("rs-6-3", "rs-10-4", "hitchhiker-xorplus-10-4", "lrc-l2-12-4", "less-a4-10-4");
  private static final List<Long> QUICK_CELLS = List.of(64L << 10, 1L << 20);
  static final List<Long> FULL_CELLS =
      List.of(4L << 10, 16L << 10, 64L << 10, 256L << 10, 1L << 20, 4L << 20);
  private static final long CELL_MAX = 16 << 20;

  @Spec
  private CommandSpec spec;

  @Option(names = "--quick", description = "Five codes in cells of 64 KiB and 1 MiB: about two "
      + "minutes; so it is without any option")
  private boolean quick;

  @Option(names = "--full", description = "All codes, cells from 4 KiB to 4 MiB: half an hour")
  private boolean full;

  @Option(names = "--codes", split = ",", description = "Codes, as 'hdfs ppr -codes' names them")
  private List<String> codes;

  @Option(names = "--kernels", split = ",", description = "java, isal, gfni, isal-c, gfni-c, "
      + "hadoop-java, hadoop-legacy (default: all that work here)")
  private List<String> kernels;

  @Option(names = "--cells", split = ",", converter = ByteSize.class,
      description = "Bytes of a cell, as 4k or 1m")
  private List<Long> cells;

  @Option(names = "--ops", split = ",", description = "encode, decode-1, decode-m, partial, delta "
      + "(default: all)")
  private List<String> ops;

  @Option(names = "--rounds", defaultValue = "7",
      description = "Samples of each case (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(names = "--bursts", defaultValue = "40",
      description = "Bursts of a sample (default: ${DEFAULT-VALUE})")
  private int bursts;

  @Option(names = "--offset", defaultValue = "16",
      description = "Where in a page of memory each buffer begins; 16 is what malloc gives, and so "
          + "ByteBuffer.allocateDirect (default: ${DEFAULT-VALUE})")
  private int offset;

  @Option(names = "--program", description = "codec_bench, which calls the kernels from C "
      + "(default: the one of the last build)")
  private Path programFile;

  @Option(names = "--json", description = "Where the samples go, one object each")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private final List<CodecRecord> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException {
    check();
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    // Without this property, JMH refuses to start while another JMH runs on this machine. Two JMH
    // processes slow each other down, and do no other harm.
    System.setProperty("jmh.ignoreLock", "true");
    CodecProgram program = startProgram();
    try (CodecSampler sampler = new CodecSampler(program, offset, bursts)) {
      measureAll(sampler, chosenKernels(program));
    }
    PrintWriter out = bench.out;
    CodecTable table = new CodecTable(records);
    out.println();
    out.printf("%d rounds, buffers begin %d bytes into a page%n", rounds, offset);
    table.print(out);
    out.println();
    table.printGoals(out);
    bench.writePng(() -> table.chart());
    return 0;
  }

  private void check() throws IOException {
    if (quick && full) {
      throw new IllegalArgumentException("--quick or --full, not both");
    }
    if (rounds < 1 || bursts < 1 || offset < 0 || offset >= 4096) {
      throw new IllegalArgumentException("--rounds is " + rounds + ", --bursts " + bursts
          + ", --offset " + offset);
    }
    codes = codes != null ? codes : full ? allCodes() : QUICK_CODES;
    cells = cells != null ? cells : full ? FULL_CELLS : QUICK_CELLS;
    ops = ops != null ? ops : Arrays.stream(CodecCase.Op.values()).map(CodecCase.Op::label)
        .collect(Collectors.toList());
    checkCells(codes, cells);
  }

  /**
   * Checks that each cell has a byte for each sub-chunk. A cell may have a remainder: the encoders
   * code it, too, and the other operations leave it out.
   */
  static void checkCells(List<String> codes, List<Long> cells) throws IOException {
    for (String code : codes) {
      int subChunks = EcCode.parse(code).code.subChunks();
      for (long cell : cells) {
        if (cell < subChunks || cell > CELL_MAX) {
          throw new IllegalArgumentException("A cell of " + cell + " bytes: " + code
              + " wants at least " + subChunks + ", at most " + CELL_MAX);
        }
      }
    }
  }

  static List<String> allCodes() {
    List<String> all = new ArrayList<>(RS);
    for (PprCodec codec : PprCodec.values()) {
      for (LinearCode code : codec.shippedCodes()) {
        all.add(codec.codecName() + "-" + code.dataUnits() + "-" + code.parityUnits());
      }
    }
    return all;
  }

  private CodecProgram startProgram() throws IOException {
    Path file = programFile != null ? programFile
        : Path.of(System.getProperty("hdfsppr.it.dir", "it"))
            .resolve("../hdfs-ppr-coder/target/native/codec_bench").normalize();
    CodecProgram program = CodecProgram.start(file).orElse(null);
    if (program == null) {
      bench.say("there is no %s: nothing is measured from C (it is built with the native kernels)",
          file);
    }
    return program;
  }

  private List<String> chosenKernels(CodecProgram program) throws IOException {
    List<String> here = new ArrayList<>();
    for (RegionKernel kernel : Kernels.available()) {
      here.add(kernel.name());
      if (program != null && program.has(kernel.name())) {
        here.add(kernel.name() + "-c");
      }
    }
    here.add(CodecWork.HADOOP_JAVA);
    here.add(CodecWork.HADOOP_LEGACY);
    if (kernels != null) {
      for (String kernel : kernels) {
        if (!here.contains(kernel)) {
          throw new IllegalArgumentException("'" + kernel + "' cannot be measured here; there are "
              + String.join(", ", here));
        }
      }
      here.retainAll(kernels);
    }
    return here;
  }

  private void measureAll(CodecSampler sampler, List<String> here) throws IOException {
    List<List<CodecCase>> groups = groups(here);
    bench.say("%d cases, %d rounds", groups.stream().mapToInt(List::size).sum(), rounds);
    // The first pass is not recorded, because the JVM is still compiling the coders.
    round(sampler, groups, 0);
    for (int round = 1; round <= rounds; round++) {
      long start = System.nanoTime();
      round(sampler, groups, round);
      bench.say("round %d of %d: %d s", round, rounds,
          (System.nanoTime() - start) / 1_000_000_000);
      bench.writeJson(records, CodecRecord::toJson);
    }
  }

  /**
   * Returns the groups of cases whose speeds are compared. The first case of each group copies the
   * same number of bytes (memcpy).
   */
  private List<List<CodecCase>> groups(List<String> here) throws IOException {
    List<List<CodecCase>> groups = new ArrayList<>();
    for (long cell : cells) {
      for (String op : ops) {
        for (String code : codes) {
          CodecCase copy =
              new CodecCase(code, CodecCase.Op.parse(op), CodecWork.MEMCPY, (int) cell);
          List<CodecCase> group = new ArrayList<>(List.of(copy));
          for (String kernel : here) {
            if (applies(kernel, copy)) {
              group.add(copy.by(kernel));
            }
          }
          groups.add(group);
        }
      }
    }
    return groups;
  }

  private static boolean applies(String kernel, CodecCase to) throws IOException {
    if (kernel.equals(CodecWork.HADOOP_JAVA) || kernel.equals(CodecWork.HADOOP_LEGACY)) {
      return RS.contains(to.code) && to.op.wholeStripe;
    }
    return !kernel.endsWith("-c") || EcCode.parse(to.code).code.subChunks() == 1;
  }

  private void round(CodecSampler sampler, List<List<CodecCase>> groups, int round)
      throws IOException {
    for (List<CodecCase> group : groups) {
      Map<CodecCase, Double> speeds = new HashMap<>();
      for (CodecCase what : group) {
        speeds.put(what, bytes(what) / sampler.sample(what));
      }
      for (CodecCase what : group) {
        if (round > 0) {
          records.add(
              new CodecRecord(what, round, bytes(what), speeds.get(what),
                  speeds.get(group.get(0))));
        }
      }
    }
  }

  private static double bytes(CodecCase what) throws IOException {
    return (double) what.cellBytes
        * (what.op.wholeStripe ? EcCode.parse(what.code).dataUnits() : 1);
  }
}
