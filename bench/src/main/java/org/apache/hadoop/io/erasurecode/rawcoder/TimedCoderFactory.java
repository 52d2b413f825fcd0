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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.bench.clock.ReadClock;

/**
 * Makes the coders of Hadoop's codec rs that Hadoop's client would use, native or in Java, with a
 * clock around decoding. The setting {@code io.erasurecode.codec.rs.rawcoders} chooses it by its
 * name; by default nothing does.
 */
@InterfaceAudience.Private
public final class TimedCoderFactory implements RawErasureCoderFactory {
  /** The name of the coder. */
  public static final String NAME = "rs_timed";
  /** The setting that chooses the coder. */
  public static final String KEY = CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY;

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return CodecUtil.createRawEncoder(new Configuration(), getCodecName(), options);
  }

  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return new TimedDecoder(
        CodecUtil.createRawDecoder(new Configuration(), getCodecName(), options), options,
        ReadClock.OF_PROCESS);
  }

  @Override
  public String getCoderName() {
    return NAME;
  }

  @Override
  public String getCodecName() {
    return ErasureCodeConstants.RS_CODEC_NAME;
  }
}
