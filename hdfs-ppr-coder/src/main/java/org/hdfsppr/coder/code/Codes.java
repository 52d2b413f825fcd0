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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Finds the code of an erasure coding policy from its codec name, k and m. */
@InterfaceAudience.Public
public final class Codes {
  /**
   * The codes that have been found so far, by name. The map stays small. It has at most one code
   * for each codec that is registered with Hadoop and each pair (k, m) with k + m &lt;= 16. It also
   * has the combined codes and the crossings of such codes that a NameNode has named. Failures are
   * not stored, so that a corrected class path takes effect.
   */
  private static final Map<String, LinearCode> CODES = new ConcurrentHashMap<>();

  private Codes() {
  }

  /**
   * {@return the code of a policy}
   *
   * <p>The codecs of {@link PprCodec} are built in. For such a codec, this method checks that the
   * encoder that Hadoop would use computes the built-in code. For any other codec, this method
   * encodes with Hadoop's encoder and derives the code from the parities, see {@link ProbedCode}.
   * The code of {@code rs} must have Hadoop's matrix.
   *
   * <p>A name such as {@code rs-6-3>lrc-rs-l2-6-4} is that of a {@link CombinedCode}, which has the
   * units of two codes over the same data. Its m is the number of parities that the combined code
   * has. A name such as {@code rs-6-3*4x3} is that of a {@link CrossedCode}, of a row and a column
   * of CORE.
   *
   * <p>If the first coder of a codec cannot be made, Hadoop silently takes another coder of the
   * same codec. This method checks only the coder that Hadoop takes in this process. This is
   * enough, because all coders of a codec have to give the same bytes.
   *
   * @param conf names the coders that Hadoop would use
   * @param codec the policy's codec name, in lower case as Hadoop keeps it
   * @param dataUnits k
   * @param parityUnits m
   * @throws UnsupportedCodeException if k or m is less than 1 or k + m is more than 16 (for a
   *     combined code or a crossing, this holds for each code in its name); if such a name is
   *     malformed, or its codes cannot be combined to a code with these k and m; if Hadoop in this
   *     process does not know the codec, or cannot make an encoder for k and m; if a built-in codec
   *     has no proven code for k and m; if Hadoop's encoder computes another code than the codec's
   *     name promises; or if the code of any other codec is not linear or mixes bytes of different
   *     positions
   * @throws IOException if the encoder fails
   */
  public static LinearCode forCodec(Configuration conf, String codec, int dataUnits,
      int parityUnits) throws IOException {
    if (CombinedCode.isName(codec)) {
      return combined(conf, codec, dataUnits, parityUnits);
    }
    if (CrossedCode.isName(codec)) {
      return crossed(conf, codec, dataUnits, parityUnits);
    }
    String name = codec + "-" + dataUnits + "-" + parityUnits;
    if (dataUnits < 1 || parityUnits < 1 || dataUnits + parityUnits > LinearCode.MAX_UNITS) {
      throw new UnsupportedCodeException(name + ": a block group has at least one data and one"
          + " parity unit and at most " + LinearCode.MAX_UNITS + " units");
    }
    LinearCode known = CODES.get(name);
    if (known != null) {
      return known;
    }
    Optional<PprCodec> own = PprCodec.byName(codec);
    LinearCode found;
    if (own.isPresent()) {
      found = own.get().code(dataUnits, parityUnits);
      checkEncoder(conf, found, codec);
    } else {
      found = probe(conf, name, codec, dataUnits, parityUnits);
    }
    if (codec.equals(ErasureCodeConstants.RS_CODEC_NAME)) {
      // The codec's name promises a certain matrix to every client. A coder with another matrix
      // would give bytes that no other node can use.
      LinearCode promised = ReedSolomon.hadoop(dataUnits, parityUnits);
      if (!promised.generator().equals(found.generator())) {
        throw new UnsupportedCodeException(name + ": the coder that is configured here for \"rs\""
            + " does not compute Hadoop's rs code");
      }
      found = promised;
    }
    LinearCode earlier = CODES.putIfAbsent(name, found);
    return earlier == null ? found : earlier;
  }

  private static LinearCode combined(Configuration conf, String codec, int dataUnits,
      int parityUnits) throws IOException {
    LinearCode code = CODES.get(codec);
    if (code == null) {
      List<CombinedCode.Part> parts = CombinedCode.parts(codec);
      LinearCode[] codes = new LinearCode[parts.size()];
      for (int i = 0; i < codes.length; i++) {
        CombinedCode.Part part = parts.get(i);
        codes[i] = forCodec(conf, part.codec(), part.dataUnits(), part.parityUnits());
      }
      code = CombinedCode.of(codes[0], codes[1]).code();
      CODES.put(codec, code);
    }
    if (code.dataUnits() != dataUnits || code.parityUnits() != parityUnits) {
      throw new UnsupportedCodeException(codec + ": the two codes have " + code.dataUnits()
          + " data units and " + code.parityUnits() + " parities together, not " + dataUnits
          + " and " + parityUnits);
    }
    return code;
  }

  private static LinearCode crossed(Configuration conf, String codec, int dataUnits,
      int parityUnits) throws IOException {
    LinearCode code = CODES.get(codec);
    if (code == null) {
      CrossedCode.Parts parts = CrossedCode.parts(codec);
      LinearCode row =
          forCodec(conf, parts.codec(), parts.dataUnits(), parts.parityUnits());
      code = CrossedCode.of(row, parts.unit(), parts.others()).code();
      CODES.put(codec, code);
    }
    if (code.dataUnits() != dataUnits || code.parityUnits() != parityUnits) {
      throw new UnsupportedCodeException(codec + ": the row and the column have "
          + code.dataUnits() + " data units and " + code.parityUnits() + " parities, not "
          + dataUnits + " and " + parityUnits);
    }
    return code;
  }

  /**
   * Checks that Hadoop's encoder computes a built-in code. {@link ProbedCode} could not find a code
   * with sub-chunks. It is not needed either: the name of a built-in codec stands for exactly one
   * code, so it suffices to compare the parities.
   */
  private static void checkEncoder(Configuration conf, LinearCode promised, String codec)
      throws IOException {
    RawErasureEncoder encoder =
        encoder(conf, promised.name(), codec, promised.dataUnits(), promised.parityUnits());
    try {
      if (!EncoderVerification.computes(promised, encoder)) {
        throw new UnsupportedCodeException(promised.name() + ": the coder that is configured here"
            + " for \"" + codec + "\" (" + encoder.getClass().getName() + ") does not compute the"
            + " code of that name; see io.erasurecode.codec." + codec + ".rawcoders");
      }
    } finally {
      encoder.release();
    }
  }

  private static LinearCode probe(Configuration conf, String name, String codec, int dataUnits,
      int parityUnits) throws IOException {
    RawErasureEncoder encoder = encoder(conf, name, codec, dataUnits, parityUnits);
    try {
      return ProbedCode.probe(name, encoder);
    } finally {
      encoder.release();
    }
  }

  private static RawErasureEncoder encoder(Configuration conf, String name, String codec,
      int dataUnits, int parityUnits) throws UnsupportedCodeException {
    if (!CodecUtil.hasCodec(codec)) {
      throw new UnsupportedCodeException(name + ": no codec \"" + codec + "\" is registered with"
          + " Hadoop here; its jar must be on the class path of every node");
    }
    try {
      return CodecUtil.createRawEncoder(conf, codec,
          new ErasureCoderOptions(dataUnits, parityUnits));
    } catch (IllegalArgumentException e) {
      throw new UnsupportedCodeException(name + ": Hadoop cannot make an encoder of it: "
          + e.getMessage(), e);
    }
  }
}
