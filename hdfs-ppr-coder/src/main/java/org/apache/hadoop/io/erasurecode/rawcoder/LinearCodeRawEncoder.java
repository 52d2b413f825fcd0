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
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.WindowEncoder;
import org.hdfsppr.coder.gf.RegionKernel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes for Hadoop's own writers. The arguments of one call are one coding window: a whole cell
 * of every data unit, or the last stripe's cells, padded with zeros to the length of the stripe's
 * first cell. Hadoop's output stream, which is the only writer of parities, passes no other
 * windows. A window may have any length, see {@link org.hdfsppr.coder.code.CodingWindow}.
 *
 * <p>{@code hdfs debug verifyEC} also encodes, to compare the result with the stored parities. The
 * command's windows have the length of its read buffer. If a code has sub-chunks, and these windows
 * do not have the length of a cell, the encoder computes other parities than the file has. The
 * command then reports a healthy file as damaged.
 *
 * <p>The encoder cannot recognize such a call reliably, and so cannot refuse it. A coder's options
 * contain the numbers of units but no cell length, Hadoop passes no configuration to a coder, and a
 * window of n bytes may belong to a file whose cells have n bytes. There is only one hint: the
 * output stream uses direct buffers if the coder prefers them, but the command always uses heap
 * buffers, even if its windows have the length of a cell. So the encoder logs a warning if it
 * prefers direct buffers and gets heap buffers.
 *
 * <p>The encoder keeps Hadoop's contract, and accepts more: heap and direct buffers may be mixed,
 * and several threads may encode at a time. If arguments break the contract, the encoder throws an
 * IllegalArgumentException before it writes anything.
 *
 * <p>The class is in Hadoop's package because every encoder must have two methods whose argument
 * types are visible only in that package. The class does not use these types. So it also works if
 * the class loader of an application has loaded it, and not Hadoop's class loader.
 */
@InterfaceAudience.Private
public final class LinearCodeRawEncoder extends RawErasureEncoder {
  private static final Logger LOG = LoggerFactory.getLogger(LinearCodeRawEncoder.class);

  private final WindowEncoder encoder;
  private final boolean preferDirectBuffer;
  /**
   * True if the encoder has already logged the warning about heap buffers, or never has to log it.
   * If two threads pass heap buffers at the same time, each of them may log the warning once.
   */
  private volatile boolean warned;
  private volatile boolean released;

  /**
   * Makes an encoder of a code.
   *
   * @param code the code
   * @param kernel multiplies and adds the bytes
   * @param options Hadoop's options; the encoder uses only the numbers of units
   * @throws IllegalArgumentException if the options are for other numbers of units
   */
  public LinearCodeRawEncoder(LinearCode code, RegionKernel kernel, ErasureCoderOptions options) {
    super(options);
    RawCoderArguments.checkOptions(code, options);
    this.encoder = new WindowEncoder(code, kernel);
    this.preferDirectBuffer = RawCoderArguments.prefersDirectBuffers(kernel);
    this.warned = code.subChunks() == 1 || !preferDirectBuffer;
  }

  @Override
  public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    int length = checkedLength(inputs, outputs);
    if (length > 0) {
      if (!warned && !inputs[0].isDirect()) {
        warned = true;
        LOG.warn("{} codes whole cells, and was handed a window of {} bytes, not by a writer of"
            + " files. If 'hdfs debug verifyEC' runs here, take 'hdfs ppr -verify' instead, or"
            + " believe what it says only if it was"
            + " started as 'hdfs debug -D dfs.datanode.ec.reconstruction.stripedread.buffer.size="
            + "CELL verifyEC ...', CELL being the bytes of a cell of the file's policy",
            encoder.code().name(), length);
      }
      encoder.encode(inputs, outputs, length);
      RawCoderArguments.consume(inputs, length);
    }
  }

  private int checkedLength(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    LinearCode code = encoder.code();
    RawCoderArguments.checkCount(code, "inputs", inputs.length, code.dataUnits());
    RawCoderArguments.checkCount(code, "outputs", outputs.length, code.parityUnits());
    int length = RawCoderArguments.commonLength(code, inputs, outputs, false);
    if (released) {
      throw new IOException("The encoder of " + code.name() + " is closed");
    }
    return length;
  }

  /**
   * Encodes arrays without the warning about windows: {@code verifyEC} passes buffers, and each
   * process passes arrays when it checks that this encoder computes the code of its name.
   */
  @Override
  public void encode(byte[][] inputs, byte[][] outputs) throws IOException {
    ByteBuffer[] from = RawCoderArguments.wrap(inputs);
    ByteBuffer[] to = RawCoderArguments.wrap(outputs);
    int length = checkedLength(from, to);
    if (length > 0) {
      encoder.encode(from, to, length);
    }
  }

  @Override
  protected void doEncode(ByteBufferEncodingState state) {
    throw new UnsupportedOperationException("encode does everything");
  }

  @Override
  protected void doEncode(ByteArrayEncodingState state) {
    throw new UnsupportedOperationException("encode does everything");
  }

  @Override
  public boolean preferDirectBuffer() {
    return preferDirectBuffer;
  }

  @Override
  public void release() {
    released = true;
  }
}
