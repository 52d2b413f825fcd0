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
package org.hdfsppr.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * Sends slices to the parent in Hadoop's packet format:
 *
 * <pre>
 *   | packet length 4 | header length 2 | PacketHeaderProto | CRC32C of each row, 4 each | rows |
 * </pre>
 *
 * <p>The sequence number is the number of the slice. After the last slice, the writer sends an
 * empty packet that is marked as the last packet. A packet with {@link #FAILURE_SEQNO} or {@link
 * #PROGRESS_SEQNO} contains a message instead of a slice.
 *
 * <p>A writer may send several short slices together, because each write costs a packet on the
 * network, with headers and an acknowledgement, and wakes the parent. A short slice waits for the
 * next message only if short slices were written within the last millisecond. The time for which
 * the parent gets no byte therefore grows by some milliseconds at most. Used by one thread.
 */
@InterfaceAudience.Private
public final class SliceWriter {
  /** Sequence number of a packet whose data is a {@code FailureProto}. No packet follows it. */
  static final long FAILURE_SEQNO = -2;
  /** Sequence number of a packet whose data is a {@code ProgressProto}. */
  static final long PROGRESS_SEQNO = -3;
  /** Length of the checksum of a row, bytes. */
  static final int SUM_BYTES = 4;
  /**
   * The longest packet of this writer that may wait for the next one, bytes. It is shorter than a
   * packet of the network, so that several can share one.
   */
  private static final int SHORT_BYTES = 1 << 10;
  /** How many bytes of short packets wait at most. */
  private static final int WAITING_BYTES = 16 << 10;
  /**
   * A short slice waits if the time since short slices were last written is shorter than this,
   * nanoseconds.
   */
  private static final long WAITING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final OutputStream out;
  private final WritableByteChannel channel;
  private final SliceGeometry geometry;
  private final LongConsumer sent;
  private final long waitingNanos;
  private final LongSupplier nanoClock;
  private final CRC32C crc = new CRC32C();
  private byte[] bounce;
  /** Short packets that wait; null until the first short packet comes. */
  private byte[] waiting;
  private int waitingBytes;
  /**
   * The time of the last call of {@link #send} that wrote a short slice, together with those that
   * waited.
   */
  private long writtenNanos;
  private long bytesSent;

  /**
   * Makes a writer that sends each slice at once.
   *
   * @param out the connection; the caller still has to close it
   * @param geometry how the plan cuts units into slices
   */
  public SliceWriter(OutputStream out, SliceGeometry geometry) {
    this(out, geometry, bytes -> { });
  }

  /**
   * Like {@link #SliceWriter(OutputStream, SliceGeometry)}, but also reports how many bytes it has
   * sent.
   *
   * @param out the connection; the caller still has to close it
   * @param geometry how the plan cuts units into slices
   * @param sent gets the number of bytes of each message that has been sent
   */
  public SliceWriter(OutputStream out, SliceGeometry geometry, LongConsumer sent) {
    this(out, geometry, sent, 0, () -> 0);
  }

  /**
   * Makes a writer that lets short slices wait for each other, to send them together.
   *
   * @param out the connection; the caller still has to close it
   * @param geometry how the plan cuts units into slices
   * @param sent gets the number of bytes of each write, which may have several messages
   * @param nanoClock a monotonic clock, nanoseconds
   * @return the writer
   */
  public static SliceWriter together(OutputStream out, SliceGeometry geometry, LongConsumer sent,
      LongSupplier nanoClock) {
    return new SliceWriter(out, geometry, sent, WAITING_NANOS, nanoClock);
  }

  private SliceWriter(OutputStream out, SliceGeometry geometry, LongConsumer sent,
      long waitingNanos, LongSupplier nanoClock) {
    this.waitingNanos = waitingNanos;
    this.sent = Objects.requireNonNull(sent, "sent");
    this.nanoClock = nanoClock;
    // The first slice does not wait.
    this.writtenNanos = nanoClock.getAsLong() - waitingNanos;
    this.out = out;
    this.channel = out instanceof WritableByteChannel ? (WritableByteChannel) out : null;
    this.geometry = geometry;
  }

  /** @return bytes that this writer has sent */
  public long bytesSent() {
    return bytesSent;
  }

  /**
   * Sends a slice. A short slice may wait for the next message; {@link #end} sends all slices that
   * wait.
   *
   * @param slice number of the slice
   * @param buffer the slice's rows, which stay unchanged; the method overwrites the room in front
   *     of them
   * @throws IOException if the connection fails
   */
  public void send(int slice, SliceBuffer buffer) throws IOException {
    int dataBytes = buffer.rows() * buffer.length();
    int sumBytes = buffer.rows() * SUM_BYTES;
    PacketHeader header = new PacketHeader(Integer.BYTES + sumBytes + dataBytes,
        geometry.offset(slice), slice, false, dataBytes, false);
    int before = header.getSerializedSize() + sumBytes;
    int[] sums = new int[buffer.rows()];
    for (int row = 0; row < sums.length; row++) {
      crc.reset();
      crc.update(buffer.row(row));
      sums[row] = (int) crc.getValue();
    }
    ByteBuffer packet = buffer.framed(before);
    packet.mark();
    header.putInBuffer(packet);
    for (int sum : sums) {
      packet.putInt(sum);
    }
    packet.reset();
    if (waitingNanos > 0 && packet.remaining() <= SHORT_BYTES) {
      await(packet);
    } else {
      write(packet);
    }
  }

  /**
   * Adds a short packet to those that wait. Writes all of them if the last write is long enough
   * ago, or if there is no room for a further packet.
   */
  private void await(ByteBuffer packet) throws IOException {
    long now = nanoClock.getAsLong();
    put(packet);
    if (now - writtenNanos >= waitingNanos || waitingBytes > WAITING_BYTES - SHORT_BYTES) {
      writeWaiting();
      writtenNanos = now;
    }
  }

  private void put(ByteBuffer packet) {
    if (waiting == null) {
      waiting = new byte[WAITING_BYTES];
    }
    int length = packet.remaining();
    packet.get(waiting, waitingBytes, length);
    waitingBytes += length;
  }

  private void writeWaiting() throws IOException {
    int length = waitingBytes;
    if (length > 0) {
      waitingBytes = 0;
      bytesSent += length;
      out.write(waiting, 0, length);
      out.flush();
      sent.accept(length);
    }
  }

  /**
   * Sends the empty packet that marks the end of the stream, after the last slice.
   *
   * @throws IOException if the connection fails
   */
  public void end() throws IOException {
    write(ByteBuffer.wrap(new PacketHeader(Integer.BYTES, geometry.streamBytes(),
        geometry.slices(), true, 0, false).getBytes()));
  }

  /**
   * Sends a failure. No further slice may follow.
   *
   * @param failure the cause, and the node that failed
   * @throws IOException if the connection fails
   */
  public void fail(RepairException failure) throws IOException {
    message(FAILURE_SEQNO, PartialSumResponse.toProto(failure).toByteArray());
  }

  /**
   * Sends the progress of this node and of the nodes below it.
   *
   * @param progress the progress
   * @throws IOException if the connection fails
   */
  public void progress(ProgressProto progress) throws IOException {
    message(PROGRESS_SEQNO, progress.toByteArray());
  }

  private void message(long seqno, byte[] bytes) throws IOException {
    byte[] header = new PacketHeader(Integer.BYTES + SUM_BYTES + bytes.length, 0, seqno, false,
        bytes.length, false).getBytes();
    crc.reset();
    crc.update(bytes);
    ByteBuffer packet = ByteBuffer.allocate(header.length + SUM_BYTES + bytes.length);
    packet.put(header).putInt((int) crc.getValue()).put(bytes).flip();
    write(packet);
  }

  private void write(ByteBuffer packet) throws IOException {
    int bytes = packet.remaining();
    if (waitingBytes > 0 && bytes <= WAITING_BYTES - waitingBytes) {
      put(packet);
      writeWaiting();
      return;
    }
    writeWaiting();
    bytesSent += bytes;
    if (packet.hasArray()) {
      out.write(packet.array(), packet.arrayOffset() + packet.position(), packet.remaining());
    } else if (channel != null) {
      while (packet.hasRemaining()) {
        channel.write(packet);
      }
    } else {
      // Encrypting streams accept only arrays.
      if (bounce == null || bounce.length < packet.remaining()) {
        bounce = new byte[packet.remaining()];
      }
      int length = packet.remaining();
      packet.get(bounce, 0, length);
      out.write(bounce, 0, length);
    }
    out.flush();
    sent.accept(bytes);
  }
}
