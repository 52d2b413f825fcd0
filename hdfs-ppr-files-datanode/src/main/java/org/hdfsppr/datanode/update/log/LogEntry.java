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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;

/** An update that a log holds, and where its bytes are. Immutable. */
@InterfaceAudience.Private
public final class LogEntry {
  public final UnitId unit;
  /** The term in which this log received the update */
  public final long term;
  /** The number of the update in the history of the unit */
  public final long sequence;
  /** The number of the commit to which the update belongs */
  public final long epoch;
  /** The offset of the update in the unit, bytes */
  public final long offset;
  /** Bytes of the update */
  public final int length;
  private final long writer;
  private final long number;
  /**
   * Whether the data are a delta, see {@link org.hdfsppr.update.append.NumberedUpdate}, instead of
   * the bytes that the update writes
   */
  public final boolean isDelta;
  final LogSegment segment;
  private final long position;

  LogEntry(RecordHeader record, UnitId unit, LogSegment segment, long position) {
    this.unit = unit;
    this.term = record.term;
    this.sequence = record.sequence;
    this.epoch = record.epoch;
    this.offset = record.offset;
    this.length = record.length;
    this.writer = record.origin.writer;
    this.number = record.origin.number;
    this.isDelta = record.kind == RecordKind.DELTA;
    this.segment = segment;
    this.position = position;
  }

  /** @return the writer, and the number that it has given the update */
  public Origin origin() {
    return Origin.of(writer, number);
  }

  /**
   * Fills a buffer with a part of the data that begins at {@code from}. The caller has called
   * {@link LogSegment#use}, so that the segment stays open.
   */
  void read(int from, ByteBuffer into) throws IOException {
    segment.read(position, unit, sequence, from, into);
  }
}
