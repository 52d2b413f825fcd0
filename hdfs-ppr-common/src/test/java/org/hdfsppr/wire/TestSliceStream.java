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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link SliceWriter} sends {@link SliceReader} gets, or a failure that names the sender. */
@InterfaceAudience.Private
@Timeout(60)
class TestSliceStream {
  private static final NodeRef CHILD =
      new NodeRef("uuid-1", "10.0.0.1", "host1", 9866, 9877, "/rack");
  private static final NodeRef OTHER =
      new NodeRef("uuid-2", "10.0.0.2", "host2", 9866, 9877, "/rack");
  private static final PlanNode TREE = new PlanNode(CHILD, Collections.emptyList(),
      Collections.singletonList(
          new PlanNode(OTHER, Collections.emptyList(), Collections.emptyList())));

  private final List<ProgressProto> heard = new ArrayList<>();

  /** A stream that is a channel, takes a few bytes at a time from buffers, and none of arrays. */
  private static final class Narrow extends OutputStream implements WritableByteChannel {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int most;

    Narrow(int most) {
      this.most = most;
    }

    @Override
    public void write(int b) {
      out.write(b);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      out.write(from, offset, length);
    }

    @Override
    public int write(ByteBuffer src) {
      byte[] bytes = new byte[Math.min(most, src.remaining())];
      src.get(bytes);
      out.write(bytes, 0, bytes.length);
      return bytes.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }

  private SliceReader reader(byte[] bytes, SliceGeometry geometry) {
    return reader(new ByteArrayInputStream(bytes), geometry);
  }

  private SliceReader reader(InputStream in, SliceGeometry geometry) {
    return new SliceReader(new ChannelInput(in), geometry, TREE, heard::add);
  }

  private static SliceBuffer buffer(int rows, int sliceBytes, boolean direct) {
    int bytes = SliceBuffer.bytesFor(rows, sliceBytes);
    return new SliceBuffer(
        direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes), rows);
  }

  private static void fill(SliceBuffer buffer, Random random) {
    for (int row = 0; row < buffer.rows(); row++) {
      byte[] bytes = new byte[buffer.length()];
      random.nextBytes(bytes);
      buffer.row(row).put(bytes);
    }
  }

  /** The bytes of a stream of two rows, the second in checked slices only. */
  private static byte[] stream(SliceGeometry geometry, boolean ended, long seed)
      throws IOException {
    Random random = new Random(seed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SliceWriter writer = new SliceWriter(out, geometry);
    SliceBuffer rows = buffer(2, geometry.sliceBytes(), true);
    for (int slice = 0; slice < geometry.slices(); slice++) {
      rows.shape(geometry.checked(slice) ? 2 : 1, geometry.length(slice));
      fill(rows, random);
      writer.send(slice, rows);
      if (random.nextInt(3) == 0) {
        writer.progress(progress(slice));
      }
    }
    if (ended) {
      writer.end();
    } else {
      writer.fail(new RepairException(FailureCause.CORRUPT_REPLICA, OTHER, "bad disk", null));
    }
    return out.toByteArray();
  }

  private static ProgressProto progress(int slice) {
    return ProgressProto.newBuilder().addNodes(NodeProgressProto.newBuilder().setUuid("uuid-1")
        .setSlicesDone(slice).setChildWaitMs(1).setParentWaitMs(2).setLocalMs(3)).build();
  }

  /**
   * Reads a stream to its end.
   *
   * @return how many slices came, each of them with the right bytes
   * @throws RepairException as the reader does
   */
  private int readAll(byte[] bytes, SliceGeometry geometry, long seed) throws RepairException {
    Random random = new Random(seed);
    SliceReader reader = reader(bytes, geometry);
    SliceBuffer rows = buffer(2, geometry.sliceBytes(), true);
    SliceBuffer right = buffer(2, geometry.sliceBytes(), true);
    for (int slice = 0; slice < geometry.slices(); slice++) {
      rows.shape(geometry.checked(slice) ? 2 : 1, geometry.length(slice));
      right.shape(rows.rows(), rows.length());
      reader.receive(slice, rows);
      fill(right, random);
      random.nextInt(3);
      assertEquals(right.allRows(), rows.allRows(), "slice " + slice);
    }
    reader.receiveEnd();
    return geometry.slices();
  }

  @Test
  void roundTrip() throws IOException {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      SliceGeometry geometry = new SliceGeometry(1 + random.nextInt(20_000),
          512 + random.nextInt(9_000), random.nextInt(4), 0);
      int lost = 1 + random.nextInt(4);
      boolean direct = random.nextBoolean();
      OutputStream out = random.nextBoolean() ? new ByteArrayOutputStream()
          : new Narrow(random.nextInt(10) == 0 ? 1 : 1 + random.nextInt(3000));
      long[] nanos = new long[1];
      SliceWriter writer = random.nextBoolean() ? new SliceWriter(out, geometry)
          : SliceWriter.together(out, geometry, bytes -> { },
              () -> nanos[0] += random.nextInt(300_000));
      SliceBuffer rows = buffer(lost + 1, geometry.sliceBytes(), direct);
      List<ByteBuffer> sent = new ArrayList<>();
      heard.clear();
      int reports = 0;
      for (int slice = 0; slice < geometry.slices(); slice++) {
        rows.shape(geometry.checked(slice) ? lost + 1 : lost, geometry.length(slice));
        fill(rows, random);
        ByteBuffer copy = ByteBuffer.allocate(rows.rows() * rows.length());
        copy.put(rows.allRows()).flip();
        writer.send(slice, rows);
        assertEquals(copy, rows.allRows(), "rows changed while they were sent");
        sent.add(copy);
        if (random.nextInt(4) == 0) {
          writer.progress(progress(slice));
          reports++;
        }
      }
      writer.end();
      byte[] bytes = out instanceof Narrow ? ((Narrow) out).out.toByteArray()
          : ((ByteArrayOutputStream) out).toByteArray();
      assertEquals(bytes.length, writer.bytesSent());
      SliceReader reader = reader(bytes, geometry);
      SliceBuffer got = buffer(lost + 1, geometry.sliceBytes(), !direct);
      for (int slice = 0; slice < geometry.slices(); slice++) {
        got.shape(geometry.checked(slice) ? lost + 1 : lost, geometry.length(slice));
        reader.receive(slice, got);
        assertEquals(sent.get(slice), got.allRows());
      }
      reader.receiveEnd();
      assertEquals(reports, heard.size());
      assertEquals(bytes.length, reader.bytesReceived());
    }
  }

  /** A stock tool that reads packets finds its way through. */
  @Test
  void packetsAreHadoops() throws IOException {
    SliceGeometry geometry = new SliceGeometry(1500, 1000, 1, 0);
    ByteBuffer bytes = ByteBuffer.wrap(stream(geometry, true, 3));
    int slices = 0;
    while (true) {
      int packetBytes = bytes.getInt();
      byte[] headerBytes = new byte[bytes.getShort()];
      bytes.get(headerBytes);
      PacketHeader header = new PacketHeader();
      header.setFieldsFromData(packetBytes, headerBytes);
      // As the stock reader takes it: length field, checksums, data.
      bytes.position(bytes.position() + packetBytes - 4);
      if (header.isLastPacketInBlock()) {
        break;
      } else if (header.getSeqno() >= 0) {
        assertEquals(slices * 1000L, header.getOffsetInBlock());
        slices++;
      }
    }
    assertEquals(2, slices);
    assertTrue(!bytes.hasRemaining());
  }

  @Test
  void aFailureArrivesWithItsNodeAndCause() throws IOException {
    SliceGeometry geometry = new SliceGeometry(5_000, 1_000, 2, 0);
    byte[] bytes = stream(geometry, false, 4);
    RepairException e = assertThrows(RepairException.class, () -> readAll(bytes, geometry, 4));
    assertSame(FailureCause.CORRUPT_REPLICA, e.failureCause);
    assertEquals(OTHER, e.node);
    assertEquals("bad disk", e.getMessage());
  }

  @Test
  void everyFlippedBitIsFoundOrHarmless() throws IOException {
    SliceGeometry geometry = new SliceGeometry(1_300, 512, 2, 0);
    for (boolean ended : new boolean[] {true, false}) {
      byte[] right = stream(geometry, ended, 5);
      int harmless = 0;
      for (int bit = 0; bit < right.length * 8; bit++) {
        byte[] wrong = right.clone();
        wrong[bit / 8] ^= 1 << bit % 8;
        try {
          // Compares the bytes as well.
          readAll(wrong, geometry, 5);
          harmless++;
        } catch (RepairException e) {
          boolean isReport = !ended && e.node.equals(OTHER)
              && e.failureCause == FailureCause.CORRUPT_REPLICA;
          assertTrue(isReport || e.node.equals(CHILD), "bit " + bit + ": " + e);
        }
      }
      // The flag for syncing the disk, in each header, says nothing here.
      assertTrue(harmless < 100, harmless + " flips went unnoticed");
    }
  }

  @Test
  void everyTruncationIsADeadChild() throws IOException {
    SliceGeometry geometry = new SliceGeometry(1_300, 512, 2, 0);
    byte[] right = stream(geometry, true, 6);
    for (int length = 0; length < right.length; length++) {
      byte[] part = Arrays.copyOf(right, length);
      RepairException e = assertThrows(RepairException.class, () -> readAll(part, geometry, 6));
      assertSame(FailureCause.DEAD, e.failureCause);
      assertEquals(CHILD, e.node);
    }
  }

  @Test
  void fuzz() throws IOException {
    Random random = new Random(7);
    Mutator mutator = new Mutator(random);
    SliceGeometry geometry = new SliceGeometry(3_000, 700, 3, 1);
    byte[] valid = stream(geometry, true, 7);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = i % 4 == 0 ? mutator.bytes(400) : mutator.change(valid);
      try {
        readAll(bytes, geometry, 7);
      } catch (RepairException e) {
        assertEquals(CHILD, e.node, e.toString());
      }
    }
  }

  /** Notes how many bytes each write has. */
  private static final class Writes extends ByteArrayOutputStream {
    private final List<Integer> lengths = new ArrayList<>();

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
      lengths.add(length);
      super.write(from, offset, length);
    }
  }

  @Test
  void shortSlicesGoOutTogether() throws IOException {
    SliceGeometry geometry = new SliceGeometry(100 * 512, 512, 0, 0);
    long[] nanos = new long[1];
    List<Long> counted = new ArrayList<>();
    Writes out = new Writes();
    SliceWriter writer = SliceWriter.together(out, geometry, counted::add, () -> nanos[0]);
    SliceBuffer rows = buffer(1, 512, true);
    rows.shape(1, 512);
    Random random = new Random(5);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int slice = 0; slice < 100; slice++) {
      fill(rows, random);
      byte[] copy = new byte[512];
      rows.row(0).get(copy);
      sent.write(copy);
      writer.send(slice, rows);
      if (slice == 1) {
        assertEquals(1, out.lengths.size(), "the first one does not wait");
        writer.progress(progress(1));
        assertEquals(2, out.lengths.size(), "a message takes along what waits");
      } else if (slice == 2) {
        nanos[0] += 1_000_000;
      } else if (slice == 3) {
        assertEquals(3, out.lengths.size(), "a slice takes along what has waited");
      }
    }
    writer.end();
    // 16 KiB have 29 packets of 547 bytes; the end goes with the last ones.
    assertEquals(3 + 96 / 29 + 1, out.lengths.size(), out.lengths.toString());
    assertTrue(Collections.max(out.lengths) <= 16 << 10, out.lengths.toString());
    assertEquals(out.size(), counted.stream().mapToLong(bytes -> bytes).sum());
    assertEquals(out.size(), writer.bytesSent());
    SliceReader reader = reader(out.toByteArray(), geometry);
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    for (int slice = 0; slice < 100; slice++) {
      rows.shape(1, 512);
      reader.receive(slice, rows);
      byte[] copy = new byte[512];
      rows.row(0).get(copy);
      got.write(copy);
    }
    reader.receiveEnd();
    assertArrayEquals(sent.toByteArray(), got.toByteArray());
  }

  /** Its parent would otherwise hear nothing for twice the time that one slice takes. */
  @Test
  void aSliceAfterAPauseDoesNotWait() throws IOException {
    SliceGeometry geometry = new SliceGeometry(10 * 512, 512, 0, 0);
    long[] nanos = new long[1];
    Writes out = new Writes();
    SliceWriter writer = SliceWriter.together(out, geometry, bytes -> { }, () -> nanos[0]);
    SliceBuffer rows = buffer(1, 512, true);
    rows.shape(1, 512);
    for (int slice = 0; slice < 10; slice++) {
      writer.send(slice, rows);
      assertEquals(slice + 1, out.lengths.size());
      nanos[0] += 1_000_000;
    }
  }

  @Test
  void aFailureFollowsTheSlicesThatWait() throws IOException {
    SliceGeometry geometry = new SliceGeometry(3 * 512, 512, 0, 0);
    Writes out = new Writes();
    SliceWriter writer = SliceWriter.together(out, geometry, bytes -> { }, () -> 0);
    SliceBuffer rows = buffer(1, 512, true);
    rows.shape(1, 512);
    writer.send(0, rows);
    writer.send(1, rows);
    writer.fail(new RepairException(FailureCause.DEAD, OTHER, "gone", null));
    assertEquals(2, out.lengths.size());
    SliceReader reader = reader(out.toByteArray(), geometry);
    reader.receive(0, rows);
    reader.receive(1, rows);
    assertSame(FailureCause.DEAD, assertThrows(RepairException.class,
        () -> reader.receive(2, rows)).failureCause);
  }

  @Test
  void slicesOutOfTurnAreRefused() throws IOException {
    SliceGeometry geometry = new SliceGeometry(3_000, 1_000, 0, 0);
    for (int[] order : new int[][] {{1}, {0, 0}, {0, 2}, {2}, {0, 1, 1}}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      SliceWriter writer = new SliceWriter(out, geometry);
      SliceBuffer rows = buffer(1, 1_000, true);
      rows.shape(1, 1_000);
      for (int slice : order) {
        writer.send(slice, rows);
      }
      RepairException e = assertThrows(RepairException.class, () -> {
        SliceReader reader = reader(out.toByteArray(), geometry);
        for (int slice = 0; slice < 3; slice++) {
          reader.receive(slice, rows);
        }
      });
      assertSame(FailureCause.PROTOCOL, e.failureCause, e.toString());
    }
  }

  @Test
  void anEarlyEndAndALateSliceAreRefused() throws IOException {
    SliceGeometry geometry = new SliceGeometry(1_000, 1_000, 0, 0);
    ByteArrayOutputStream early = new ByteArrayOutputStream();
    new SliceWriter(early, geometry).end();
    SliceBuffer rows = buffer(1, 1_000, true);
    rows.shape(1, 1_000);
    assertSame(FailureCause.PROTOCOL, assertThrows(RepairException.class, () ->
        reader(early.toByteArray(), geometry).receive(0, rows)).failureCause);
    ByteArrayOutputStream late = new ByteArrayOutputStream();
    new SliceWriter(late, geometry).send(0, rows);
    assertSame(FailureCause.PROTOCOL, assertThrows(RepairException.class, () ->
        reader(late.toByteArray(), geometry).receiveEnd()).failureCause);
  }

  /** Each byte of it resets the timeout, so without a bound the parent would listen for ever. */
  @Test
  void aChildThatOnlyTellsHowItFaresIsStopped() throws IOException {
    ByteArrayOutputStream one = new ByteArrayOutputStream();
    SliceGeometry geometry = new SliceGeometry(1_000, 1_000, 0, 0);
    new SliceWriter(one, geometry).progress(progress(1));
    byte[] message = one.toByteArray();
    InputStream endless = new InputStream() {
      private int at;

      @Override
      public int read() {
        assertTrue(at < 1000 * message.length, "the reader does not stop");
        return message[at++ % message.length] & 0xff;
      }
    };
    SliceBuffer rows = buffer(1, 1_000, true);
    rows.shape(1, 1_000);
    RepairException e = assertThrows(RepairException.class,
        () -> reader(endless, geometry).receive(0, rows));
    assertSame(FailureCause.PROTOCOL, e.failureCause);
  }

  @Test
  void whatAnExceptionSaysOfThePeer() {
    assertSame(FailureCause.STALLED,
        SliceReader.explain(new SocketTimeoutException(), CHILD).failureCause);
    assertSame(FailureCause.STALLED,
        SliceReader.explain(new InterruptedIOException(), CHILD).failureCause);
    assertSame(FailureCause.DEAD, SliceReader.explain(new EOFException(), CHILD).failureCause);
    assertSame(FailureCause.DEAD,
        SliceReader.explain(new SocketException("reset"), CHILD).failureCause);
    assertSame(FailureCause.PROTOCOL,
        SliceReader.explain(new MalformedRequestException("x"), CHILD).failureCause);
    RepairException known = new RepairException(FailureCause.SLOW, OTHER, "x", null);
    assertSame(known, SliceReader.explain(known, CHILD));
  }
}
