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
package org.hdfsppr.stream;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One thing that goes wrong in a repair: what, where, and at which byte. Knows whether it came to
 * pass, so that a test can tell a fault that was survived from one that never happened.
 */
@InterfaceAudience.Private
final class Fault {
  /** What can go wrong. */
  enum Kind {
    /** A connection to the node is refused. */
    REFUSE,
    /** The connection breaks at a byte. */
    CUT,
    /** Bytes of the stream vanish. */
    LOSE,
    /** Bits of the stream change. */
    FLIP,
    /** Bytes of the stream come twice. */
    DUPLICATE,
    /** Two runs of bytes of the stream change places. */
    SWAP,
    /** The stream pauses. */
    DELAY,
    /** Every write takes long from a byte on. */
    SLOW,
    /** Nothing arrives from a byte on, for ever. */
    STALL,
    /** The stock read of a unit stops at a byte, and times out. */
    STOCK_STALL,
    /** Every read of the disk takes long from a byte on. */
    SLOW_DISK,
    /** The operator's limit holds back every read of the node. */
    THROTTLED,
    /** The replica's stored checksum does not match from a byte on. */
    CORRUPT,
    /** There is no replica. */
    MISSING,
    /** The disk fails at a byte. */
    DISK,
    /** A library throws what it should not at a byte. */
    BUG,
    /** The node refuses the token. */
    TOKEN,
    /** The node has no memory for one repair more. */
    OVERLOAD,
    /** The replica has a wrong byte with the right checksum. */
    SILENT,
    /** The node multiplies by a wrong coefficient. */
    EVIL,
    /** The place where a unit goes cannot be opened. */
    SINK_OPEN,
    /** It fails at a byte. */
    SINK_WRITE,
    /** It fails at the very end. */
    SINK_COMMIT,
  }

  final Kind kind;
  final String uuid;
  final int unit;
  final boolean up;
  final long offset;
  private final int length;
  final int mask;
  private volatile boolean triggered;

  /**
   * @param uuid the node; for a link the lower of its two
   * @param unit the unit, or -1
   * @param up for a link: whether what the child sends is hit, and not what the parent sends
   * @param offset at which byte of the stream or the unit
   * @param length how many bytes
   * @param mask which bits of them, or how many milliseconds
   */
  Fault(Kind kind, String uuid, int unit, boolean up, long offset, int length, int mask) {
    this.kind = kind;
    this.uuid = uuid;
    this.unit = unit;
    this.up = up;
    this.offset = offset;
    this.length = length;
    this.mask = mask;
  }

  /** The byte behind the last one that is hit. */
  long end() {
    return offset + length;
  }

  /** Whether it is about the bytes on a link. */
  boolean onLink() {
    return kind.compareTo(Kind.CUT) >= 0 && kind.compareTo(Kind.STALL) <= 0;
  }

  boolean is(Kind other, String where) {
    return kind == other && uuid.equals(where);
  }

  boolean is(Kind other, String where, int which) {
    return is(other, where) && unit == which;
  }

  void trigger() {
    triggered = true;
  }

  /** Whether it came to pass. */
  boolean triggered() {
    return triggered;
  }

  @Override
  public String toString() {
    return kind + " at " + uuid + (unit < 0 ? "" : " unit " + unit) + (up ? " up" : "")
        + " from byte " + offset + ", " + length + " bytes, mask " + mask
        + (triggered ? ", came to pass" : ", did not come to pass");
  }
}
