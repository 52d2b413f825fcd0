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

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * Receives the slices of a child, in the format of {@link SliceWriter}. Both ends of the connection
 * know the plan, so that every field has exactly one right value. If a field has another value, the
 * repair fails. Used by one thread.
 */
@InterfaceAudience.Private
public final class SliceReader {
  /** The longest packet header, bytes. A valid header has about 30 bytes. */
  private static final int HEADER_BYTES_MAX = 256;
  /** The longest message, bytes. A failure, or the progress of 16 nodes, has a few KiB. */
  private static final int MESSAGE_BYTES_MAX = 64 << 10;
  /**
   * How many progress messages a child may send in front of one slice. A correct child sends at
   * most one. Each byte that arrives restarts the stall timeout, so that without this bound a child
   * that sends only progress could delay the repair for ever.
   */
  private static final int PROGRESS_IN_A_ROW_MAX = 16;

  private final ChannelInput in;
  private final SliceGeometry geometry;
  private final PlanNode child;
  /** The child that sends the slices */
  public final NodeRef from;
  private final Consumer<ProgressProto> progress;
  private final LongConsumer received;
  private final PacketHeader header = new PacketHeader();
  private final CRC32C crc = new CRC32C();

  /**
   * @param in the connection to the child
   * @param geometry how the plan cuts units into slices
   * @param child the child and its subtree, for errors
   * @param progress receives the child's progress messages, which cover the child and the nodes
   *     below it
   */
  public SliceReader(ChannelInput in, SliceGeometry geometry, PlanNode child,
      Consumer<ProgressProto> progress) {
    this(in, geometry, child, progress, bytes -> { });
  }

  /**
   * Like {@link #SliceReader(ChannelInput, SliceGeometry, PlanNode, Consumer)}, but also reports
   * how many bytes have arrived.
   *
   * @param in the connection to the child
   * @param geometry how the plan cuts units into slices
   * @param child the child and its subtree, for errors
   * @param progress receives the child's progress messages, which cover the child and the nodes
   *     below it
   * @param received gets the number of data bytes of each slice that has arrived
   */
  public SliceReader(ChannelInput in, SliceGeometry geometry, PlanNode child,
      Consumer<ProgressProto> progress, LongConsumer received) {
    this.received = Objects.requireNonNull(received, "received");
    this.in = Objects.requireNonNull(in, "in");
    this.geometry = Objects.requireNonNull(geometry, "geometry");
    this.child = Objects.requireNonNull(child, "child");
    this.from = child.node;
    this.progress = Objects.requireNonNull(progress, "progress");
  }

  /** @return bytes that came over the connection so far */
  public long bytesReceived() {
    return in.bytesRead();
  }

  /**
   * Receives a slice. The caller has set the number and the length of the buffer's rows.
   *
   * @param slice number of the slice; the child must send this slice next
   * @param buffer receives the rows
   * @throws RepairException naming the node that failed, which may be far below the child
   */
  public void receive(int slice, SliceBuffer buffer) throws RepairException {
    try {
      nextHeader();
      int dataBytes = buffer.rows() * buffer.length();
      expect("sequence number", slice, header.getSeqno());
      expect("offset", geometry.offset(slice), header.getOffsetInBlock());
      expect("last mark", 0, header.isLastPacketInBlock() ? 1 : 0);
      expect("data length", dataBytes, header.getDataLen());
      int sumBytes = buffer.rows() * SliceWriter.SUM_BYTES;
      expect("packet length", Integer.BYTES + sumBytes + dataBytes, header.getPacketLen());
      int[] sums = new int[buffer.rows()];
      for (int row = 0; row < sums.length; row++) {
        sums[row] = in.readInt();
      }
      in.readFully(buffer.allRows());
      received.accept(dataBytes);
      for (int row = 0; row < sums.length; row++) {
        crc.reset();
        crc.update(buffer.row(row));
        if ((int) crc.getValue() != sums[row]) {
          throw protocol("row " + row + " of slice " + slice + " was damaged on the way");
        }
      }
    } catch (IOException e) {
      throw explain(e);
    }
  }

  /**
   * Receives the empty packet that marks the end of the stream, after the last slice.
   *
   * @throws RepairException if the child sends anything else
   */
  public void receiveEnd() throws RepairException {
    try {
      nextHeader();
      expect("sequence number", geometry.slices(), header.getSeqno());
      expect("last mark", 1, header.isLastPacketInBlock() ? 1 : 0);
      expect("data length", 0, header.getDataLen());
      expect("packet length", Integer.BYTES, header.getPacketLen());
    } catch (IOException e) {
      throw explain(e);
    }
  }

  private void nextHeader() throws IOException {
    for (int messages = 0; messages <= PROGRESS_IN_A_ROW_MAX; messages++) {
      int packetBytes = in.readInt();
      int headerBytes = in.readShort() & 0xffff;
      if (headerBytes > HEADER_BYTES_MAX) {
        throw protocol("a packet header of " + headerBytes + " bytes");
      }
      byte[] bytes = new byte[headerBytes];
      in.readFully(ByteBuffer.wrap(bytes));
      try {
        header.setFieldsFromData(packetBytes, bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new RepairException(FailureCause.PROTOCOL, from, "a garbled packet header", e);
      }
      if (header.getSeqno() == SliceWriter.FAILURE_SEQNO) {
        throw PartialSumResponse.parseFailure(message(), child);
      } else if (header.getSeqno() == SliceWriter.PROGRESS_SEQNO) {
        try {
          progress.accept(ProgressProto.parseFrom(message()));
        } catch (InvalidProtocolBufferException e) {
          throw new RepairException(FailureCause.PROTOCOL, from, "a garbled progress", e);
        }
      } else {
        return;
      }
    }
    throw protocol("nothing but progress");
  }

  private byte[] message() throws IOException {
    int length = header.getDataLen();
    if (length < 0 || length > MESSAGE_BYTES_MAX) {
      throw protocol("a message of " + length + " bytes");
    }
    expect("packet length", Integer.BYTES + SliceWriter.SUM_BYTES + length,
        header.getPacketLen());
    int sum = in.readInt();
    byte[] bytes = new byte[length];
    in.readFully(ByteBuffer.wrap(bytes));
    crc.reset();
    crc.update(bytes);
    if ((int) crc.getValue() != sum) {
      throw protocol("a message was damaged on the way");
    }
    return bytes;
  }

  private void expect(String name, long wanted, long got) throws RepairException {
    if (wanted != got) {
      throw protocol("a packet with " + name + " " + got + " where " + wanted + " is due");
    }
  }

  private RepairException protocol(String what) {
    return new RepairException(FailureCause.PROTOCOL, from, what, null);
  }

  private RepairException explain(IOException e) {
    return explain(e, from);
  }

  /**
   * Converts an exception on the connection to a peer into a failure.
   *
   * @param e the exception
   * @param peer the other end of the connection
   * @return the same exception if it is a {@link RepairException} already, or else a new one that
   *     names the peer
   */
  public static RepairException explain(IOException e, NodeRef peer) {
    if (e instanceof RepairException) {
      return (RepairException) e;
    } else if (e instanceof SocketTimeoutException || e instanceof InterruptedIOException) {
      return new RepairException(FailureCause.STALLED, peer, "nothing came in time", e);
    } else if (e instanceof EOFException) {
      return new RepairException(FailureCause.DEAD, peer, "the connection was closed", e);
    } else if (e instanceof MalformedRequestException) {
      return new RepairException(FailureCause.PROTOCOL, peer, e.getMessage(), e);
    }
    return new RepairException(FailureCause.DEAD, peer, "the connection broke: " + e, e);
  }
}
