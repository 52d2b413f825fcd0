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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;

/** A code that files of a cluster can be written with, in cells of 1 MiB. */
@InterfaceAudience.Private
public final class EcCode {
  /** Reed-Solomon with 6 data and 3 parity units. */
  public static final EcCode RS_6_3 = rs(6, 3);
  /** Reed-Solomon with 10 data and 4 parity units. */
  public static final EcCode RS_10_4 = rs(10, 4);

  private static final Pattern PAPER =
      Pattern.compile("(lrc|core|rotated-rs)-(\\d{1,2}(?:-\\d{1,2}){1,2})");
  private static final int CELL_BYTES = 1 << 20;
  private static final String RS_CODEC = "rs";

  private final String codec;
  private final LinearCode code;

  private EcCode(String codec, LinearCode code) {
    this.codec = codec;
    this.code = code;
  }

  private static EcCode rs(int dataUnits, int parityUnits) {
    return new EcCode(RS_CODEC, ReedSolomon.hadoop(dataUnits, parityUnits));
  }

  /** All that can be asked for. */
  private static List<EcCode> all() throws IOException {
    List<EcCode> all = new ArrayList<>(List.of(RS_6_3, RS_10_4, rs(12, 4)));
    for (PprCodec own : PprCodec.values()) {
      for (LinearCode code : own.shippedCodes()) {
        all.add(new EcCode(own.codecName(), code));
      }
    }
    return all;
  }

  /**
   * Finds a code by its name, which is its codec's with the numbers of data and parity units, as in
   * {@code rs-6-3} or {@code lrc-l2-12-4}.
   *
   * @param label as the user writes it
   * @return the code
   * @throws IllegalArgumentException if it is none; a name that papers use is answered with ours
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static EcCode parse(String label) throws IOException {
    List<EcCode> all = all();
    return find(all, label).orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not"
        + " a code here; " + find(all, ours(label))
        .map(code -> "papers' " + label + " is called " + code.label() + "; there")
        .orElse("there") + " are "
        + all.stream().map(EcCode::label).collect(Collectors.joining(", "))));
  }

  private static Optional<EcCode> find(List<EcCode> all, String label) {
    return all.stream().filter(code -> code.label().equals(label)).findFirst();
  }

  /**
   * Our name for parameters that papers give: {@code lrc-12-2-2} (k, l, r), {@code
   * rotated-rs-12-4} (k, m), {@code core-9-6-3} (n, k, t).
   */
  private static String ours(String label) {
    Matcher paper = PAPER.matcher(label);
    if (!paper.matches()) {
      return label;
    }
    int[] n = Arrays.stream(paper.group(2).split("-")).mapToInt(Integer::parseInt).toArray();
    if (paper.group(1).equals("lrc") && n.length == 3) {
      return "lrc-l" + n[1] + "-" + n[0] + "-" + (n[1] + n[2]);
    } else if (paper.group(1).equals("core") && n.length == 3) {
      return "core-t" + n[2] + "-" + n[1] + "-" + (n[0] - n[1]);
    } else if (paper.group(1).equals("rotated-rs") && n.length == 2) {
      return "rotated-rs-r4-" + n[0] + "-" + n[1];
    }
    return label;
  }

  /** {@return the code's name, as in {@code lrc-l2-12-4}} */
  public String label() {
    return codec + "-" + dataUnits() + "-" + parityUnits();
  }

  /** {@return name of Hadoop's codec} */
  public String codec() {
    return codec;
  }

  /** {@return name of Hadoop's erasure coding policy} */
  public String policy() {
    return ErasureCodingPolicy.composePolicyName(schema(), CELL_BYTES);
  }

  /** {@return whether daemons and clients need our codecs for it} */
  public boolean isOwnCodec() {
    return !codec.equals(RS_CODEC);
  }

  /**
   * Enables the policy, so that files can be written with it.
   *
   * @param client of the cluster
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public void enable(DistributedFileSystem client) throws IOException {
    AddErasureCodingPolicyResponse added = client.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {new ErasureCodingPolicy(schema(), CELL_BYTES)})[0];
    if (!added.isSucceed()) {
      throw new IOException("The policy cannot be added: " + added);
    }
    client.enableErasureCodingPolicy(policy());
  }

  private ECSchema schema() {
    return new ECSchema(codec, dataUnits(), parityUnits());
  }

  /** {@return the code itself} */
  public LinearCode code() {
    return code;
  }

  /** {@return k, the number of data units} */
  public int dataUnits() {
    return code.dataUnits();
  }

  /** {@return k + m} */
  public int units() {
    return code.units();
  }

  /** {@return m, the number of parity units} */
  public int parityUnits() {
    return code.parityUnits();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EcCode && ((EcCode) other).label().equals(label());
  }

  @Override
  public int hashCode() {
    return Objects.hash(label());
  }

  @Override
  public String toString() {
    return label();
  }
}
