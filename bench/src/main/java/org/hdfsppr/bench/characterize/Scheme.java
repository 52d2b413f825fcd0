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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.util.Objects;

import org.hdfsppr.it.util.EcCode;

/**
 * How bytes are kept, and which client reads and writes them. {@code replication} is the code
 * RS(1,2) under the same block device as all other codes, so that only the redundancy differs.
 * {@code stock-replication} and {@code stock-CODE} are ordinary files of Hadoop's own client.
 */
final class Scheme {
  static final String REPLICATION = "replication";
  private static final String STOCK = "stock-";
  private static final int REPLICAS = 3;

  final String label;
  /** The code of the files; null for replicated files. */
  private final EcCode code;
  final boolean stock;

  private Scheme(String label, EcCode code, boolean stock) {
    this.label = label;
    this.code = code;
    this.stock = stock;
  }

  /**
   * {@return the scheme of a name}
   *
   * @throws IllegalArgumentException if there is none, with those that there are
   * @throws IOException if the shipped codes cannot be read
   */
  static Scheme parse(String label) throws IOException {
    if (label.equals(REPLICATION)) {
      return new Scheme(label, EcCode.RS_1_2, false);
    }
    if (label.equals(STOCK + REPLICATION)) {
      return new Scheme(label, null, true);
    }
    boolean stock = label.startsWith(STOCK);
    EcCode code = EcCode.parse(stock ? label.substring(STOCK.length()) : label);
    if (stock && code.isOwnCodec()) {
      throw new IllegalArgumentException(label + ": Hadoop's own client knows Reed-Solomon only,"
          + " such as stock-rs-6-3");
    }
    return new Scheme(label, code, stock);
  }

  /** {@return whether the files are replicated by HDFS, without a code} */
  boolean isReplicated() {
    return code == null;
  }

  /** {@return the code of the files; not for replicated ones} */
  EcCode code() {
    return Objects.requireNonNull(code, label);
  }

  /** {@return how many DataNodes have a part of each file} */
  int units() {
    return isReplicated() ? REPLICAS : code.units();
  }

  /** {@return how many bytes the disks have for each byte of a file} */
  double storedPerByte() {
    return isReplicated() ? REPLICAS : (double) code.units() / code.dataUnits();
  }

  /** {@return k, of which the length of a file's stripe is a multiple; 1 for replicated files} */
  int dataUnits() {
    return isReplicated() ? 1 : code.dataUnits();
  }

  @Override
  public String toString() {
    return label;
  }
}
