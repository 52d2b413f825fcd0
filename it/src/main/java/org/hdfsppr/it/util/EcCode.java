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
import java.util.OptionalInt;
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

/** An erasure code for files of a cluster, with cells of 1 MiB. */
@InterfaceAudience.Private
public final class EcCode {
  /** Reed-Solomon with 6 data and 3 parity units. */
  public static final EcCode RS_6_3 = rs(6, 3);
  /**
   * Reed-Solomon with 1 data unit and 2 parity units: each unit alone gives the bytes back, as with
   * three replicas.
   */
  public static final EcCode RS_1_2 = rs(1, 2);
  /** Reed-Solomon with 10 data and 4 parity units. */
  public static final EcCode RS_10_4 = rs(10, 4);

  private static final Pattern PAPER =
      Pattern.compile("(lrc|core|rotated-rs)-(\\d{1,2}(?:-\\d{1,2}){1,2})");
  /** The bytes of a cell of every code here. */
  public static final int CELL_BYTES = 1 << 20;
  private static final String RS_CODEC = "rs";

  public final String codec;
  public final LinearCode code;

  private EcCode(String codec, LinearCode code) {
    this.codec = codec;
    this.code = code;
  }

  private static EcCode rs(int dataUnits, int parityUnits) {
    return new EcCode(RS_CODEC, ReedSolomon.hadoop(dataUnits, parityUnits));
  }

  /** Returns all codes that a user can name. */
  private static List<EcCode> all() throws IOException {
    List<EcCode> all = new ArrayList<>(
        List.of(RS_6_3, RS_10_4, rs(12, 4), rs(12, 2), rs(8, 3), rs(3, 2), RS_1_2));
    for (PprCodec own : PprCodec.values()) {
      for (LinearCode code : own.shippedCodes()) {
        all.add(new EcCode(own.codecName(), code));
      }
    }
    return all;
  }

  /**
   * Finds a code by its name. The name consists of the codec's name and the numbers of data and
   * parity units, such as {@code rs-6-3} or {@code lrc-l2-12-4}.
   *
   * @param label the name as the user writes it
   * @return the code
   * @throws IllegalArgumentException if no code has this name; if the name is one that papers use
   *     for a code, the message contains the name of this code in this project
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
   * Converts a name that papers use for a code to the code's name in this project. It accepts
   * {@code lrc-12-2-2} (k, l, r), {@code rotated-rs-12-4} (k, m), {@code core-9-6-3} (n, k, t).
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

  /** {@return the name of the erasure coding policy in Hadoop} */
  public String policy() {
    return ErasureCodingPolicy.composePolicyName(schema(), CELL_BYTES);
  }

  /** {@return t of CORE, the number of files that share one parity file; empty for other codes} */
  public OptionalInt filesPerGroup() {
    return PprCodec.byName(codec).map(PprCodec::filesPerGroup).orElse(OptionalInt.empty());
  }

  /**
   * {@return t of a code of CORE}
   *
   * @throws IllegalArgumentException if this is no code of CORE
   */
  public int requireFilesPerGroup() {
    return filesPerGroup().orElseThrow(() -> new IllegalArgumentException("'" + label()
        + "' is no code of CORE; there are core-t3-6-3 and others, see 'bench.sh repair"
        + " --help'"));
  }

  /** {@return whether daemons and clients need the extension's codecs for this code} */
  public boolean isOwnCodec() {
    return !codec.equals(RS_CODEC);
  }

  /**
   * Adds and enables this code's policy, so that files can be written with it.
   *
   * @param client a client of the cluster
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

  /** {@return k, the number of data units} */
  public int dataUnits() {
    return code.dataUnits();
  }

  /** {@return k + m, the number of all units} */
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
