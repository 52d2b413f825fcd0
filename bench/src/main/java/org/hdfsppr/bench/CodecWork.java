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
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.code.WindowEncoder;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.it.util.EcCode;

/** The work that is timed for a case. Each call of {@link #run} repeats it. */
@FunctionalInterface
interface CodecWork {
  String MEMCPY = "memcpy";
  String HADOOP_JAVA = "hadoop-java";
  String HADOOP_LEGACY = "hadoop-legacy";

  void run() throws IOException;

  /** Prepares the work of a case whose coder is called from Java. */
  static CodecWork of(CodecCase what, int offset) throws IOException {
    LinearCode code = EcCode.parse(what.code).code;
    CodecBuffers buffers = new CodecBuffers(what.cellBytes, offset);
    switch (what.kernel) {
      case MEMCPY:
        return copy(buffers, what.op.wholeStripe ? code.dataUnits() : 1);
      case HADOOP_JAVA:
        return hadoop(new RSRawErasureCoderFactory(), code, what.op, buffers);
      case HADOOP_LEGACY:
        return hadoop(new RSLegacyRawErasureCoderFactory(), code, what.op, buffers);
      default:
        return ours(Kernels.select(what.kernel), code, what, buffers);
    }
  }

  private static CodecWork copy(CodecBuffers buffers, int count) {
    ByteBuffer[] from = buffers.get(0, count);
    ByteBuffer[] to = buffers.get(count, count);
    return () -> {
      for (int i = 0; i < count; i++) {
        to[i].clear();
        to[i].put(from[i].clear());
      }
    };
  }

  private static CodecWork hadoop(RawErasureCoderFactory factory, LinearCode code,
      CodecCase.Op op, CodecBuffers buffers) throws IOException {
    ErasureCoderOptions options =
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits());
    if (op == CodecCase.Op.ENCODE) {
      RawErasureEncoder encoder = factory.createEncoder(options);
      ByteBuffer[] data = buffers.get(0, code.dataUnits());
      ByteBuffer[] parity = buffers.get(code.dataUnits(), code.parityUnits());
      return () -> {
        rewind(data);
        rewind(parity);
        encoder.encode(data, parity);
      };
    }
    RawErasureDecoder decoder = factory.createDecoder(options);
    int[] lost = CodecOperation.of(code, op).lost();
    ByteBuffer[] units = buffers.get(0, code.units());
    ByteBuffer[] decoded = new ByteBuffer[lost.length];
    for (int i = 0; i < lost.length; i++) {
      decoded[i] = units[lost[i]];
      units[lost[i]] = null;
    }
    return () -> {
      rewind(units);
      rewind(decoded);
      decoder.decode(units, lost, decoded);
    };
  }

  private static void rewind(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer != null) {
        buffer.clear();
      }
    }
  }

  private static CodecWork ours(RegionKernel kernel, LinearCode code, CodecCase what,
      CodecBuffers buffers) {
    int cell = what.cellBytes;
    if (what.op == CodecCase.Op.ENCODE) {
      WindowEncoder encoder = new WindowEncoder(code, kernel);
      ByteBuffer[] data = buffers.get(0, code.dataUnits());
      ByteBuffer[] parity = buffers.get(code.dataUnits(), code.parityUnits());
      return () -> encoder.encode(data, parity, cell);
    }
    CodecOperation operation = CodecOperation.of(code, what.op);
    RegionOperator operator = kernel.prepare(operation.matrix);
    int length = cell / code.subChunks();
    Map<Integer, Integer> places = new HashMap<>();
    ByteBuffer[] from = views(operation.from, places, buffers, length);
    ByteBuffer[] to = views(operation.to, places, buffers, length);
    return () -> operator.apply(from, to, length, operation.accumulate);
  }

  /**
   * Returns a view of each sub-chunk. The operation's units lie in memory in the order in which
   * they first occur in the operation, as in the C program.
   */
  private static ByteBuffer[] views(List<SubChunk> subChunks, Map<Integer, Integer> places,
      CodecBuffers buffers, int length) {
    ByteBuffer[] views = new ByteBuffer[subChunks.size()];
    for (int i = 0; i < views.length; i++) {
      SubChunk part = subChunks.get(i);
      int place = places.computeIfAbsent(part.unit(), none -> places.size());
      views[i] = buffers.get(place).position(part.sub() * length);
    }
    return views;
  }
}
