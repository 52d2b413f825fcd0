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
package org.hdfsppr.coder.rawcoder;

import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.LinearCodeRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.LinearCodeRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the raw coders of one codec. The name of the coder is {@code <codec>_ppr}. If another
 * library also has coders for the codec, an operator chooses those of this library with this name
 * in {@code io.erasurecode.codec.<codec>.rawcoders}. The coders use the fastest kernel, or the
 * kernel that the system property {@code dfs.ppr.kernel} names.
 */
abstract class LinearCodeRawCoderFactory implements RawErasureCoderFactory {
  private static final Logger LOG = LoggerFactory.getLogger(LinearCodeRawCoderFactory.class);

  /**
   * The system property that names the kernel. It is no configuration key, because Hadoop passes no
   * configuration to a coder. It accepts the same values as the DataNodes' configuration key with
   * the same name.
   */
  static final String KERNEL_PROPERTY = "dfs.ppr.kernel";

  private final PprCodec codec;

  LinearCodeRawCoderFactory(PprCodec codec) {
    this.codec = codec;
  }

  /**
   * @throws IllegalArgumentException if the codec has no code for the options; the message gives
   *     the reason
   */
  @Override
  public final RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new LinearCodeRawEncoder(code(options), kernel(), options);
  }

  /**
   * @throws IllegalArgumentException if the codec has no code for the options; the message gives
   *     the reason
   */
  @Override
  public final RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return new LinearCodeRawDecoder(code(options), kernel(), options);
  }

  private static RegionKernel kernel() {
    try {
      return Kernels.select(System.getProperty(KERNEL_PROPERTY, Kernels.AUTO));
    } catch (IllegalArgumentException e) {
      // Hadoop logs the exception at debug level only, so this class logs it.
      LOG.warn("System property {}: {}", KERNEL_PROPERTY, e.getMessage());
      throw e;
    }
  }

  private LinearCode code(ErasureCoderOptions options) {
    try {
      return codec.code(options.getNumDataUnits(), options.getNumParityUnits());
    } catch (UnsupportedCodeException e) {
      // Hadoop logs the exception at debug level only, so this class logs it.
      LOG.warn(e.getMessage());
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public final String getCoderName() {
    return codec.codecName() + "_ppr";
  }

  @Override
  public final String getCodecName() {
    return codec.codecName();
  }
}
