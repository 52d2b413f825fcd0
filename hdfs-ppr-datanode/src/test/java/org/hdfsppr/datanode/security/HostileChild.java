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
package org.hdfsppr.datanode.security;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceWriter;
import org.hdfsppr.wire.proto.PprProtos.FailureProto;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * The ways in which a child can fail its parent, and the failure that the parent must report for
 * each.
 */
@InterfaceAudience.Private
enum HostileChild implements FakePeer.Behaviour {
  HANGS_UP(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.socket.close();
    }
  },
  NEVER_ANSWERS(FailureCause.STALLED) {
    @Override
    void answer(Call call) {
      // The child sends nothing, and the socket stays open.
    }
  },
  ANSWERS_NOISE(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      byte[] noise = new byte[10_000];
      new Random(1).nextBytes(noise);
      // A short message whose wire type is 7, which does not exist.
      noise[0] = 20;
      noise[1] = 15;
      call.out.write(noise);
    }
  },
  ANSWERS_2_GIB(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.out.write(new byte[] {-1, -1, -1, -1, 7});
    }
  },
  UNKNOWN_STATUS(FailureCause.INTERNAL) {
    @Override
    void answer(Call call) throws IOException {
      call.say(PartialSumResponseProto.newBuilder().setStatus(999).build());
    }
  },
  ABSURD_CHECKSUM(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.say(PartialSumResponseProto.newBuilder().setStatus(Status.SUCCESS_VALUE)
          .setChecksumType(2).setBytesPerChecksum(Integer.MAX_VALUE).build());
    }
  },
  BLAMES_A_LONG_NAME(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.blame(node().setUuid("x".repeat(5000)));
    }
  },
  BLAMES_A_LINE_BREAK(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.blame(node().setHostName("a\n2026-01-01 INFO all is well"));
    }
  },
  BLAMES_NO_PORT(FailureCause.UNREACHABLE) {
    @Override
    void answer(Call call) throws IOException {
      call.blame(node().setXferPort(-1));
    }
  },
  STOPS_AFTER_THE_ANSWER(FailureCause.STALLED) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
    }
  },
  WRONG_SEQUENCE(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
      call.slice(0, 0);
      call.slice(2, 0);
    }
  },
  TOO_LARGE_ROWS(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
      int bytes = 1 << 30;
      call.out.write(new PacketHeader(Integer.BYTES * 2 + bytes, 0, 0, false, bytes, false)
          .getBytes());
    }
  },
  HUGE_HEADER(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
      call.out.write(new byte[] {127, -1, -1, -1, -1, -1});
    }
  },
  DAMAGED_ROWS(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
      call.slice(0, 1);
    }
  },
  NEGATIVE_MESSAGE(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException {
      call.ready();
      call.out.write(new PacketHeader(4, 0, -3, false, -5, false).getBytes());
    }
  },
  /** Every byte is right, but the message never ends. */
  PROGRESS_WITHOUT_END(FailureCause.PROTOCOL) {
    @Override
    void answer(Call call) throws IOException, InterruptedException {
      call.ready();
      SliceWriter writer = new SliceWriter(call.out, call.request.geometry);
      for (int i = 0; ; i++) {
        writer.progress(ProgressProto.newBuilder().addNodes(NodeProgressProto.newBuilder()
            .setUuid("node" + i).setSlicesDone(i).setChildWaitMs(i).setParentWaitMs(0)
            .setLocalMs(0)).build());
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  },
  /** The bytes of one slice come one at a time and never end. */
  ONE_BYTE_AT_A_TIME(null) {
    @Override
    void answer(Call call) throws IOException, InterruptedException {
      call.ready();
      PlanNode node = call.request.subtree;
      int bytes = call.request.rows(0) * call.request.geometry.length(0);
      call.out.write(new PacketHeader(Integer.BYTES * (1 + call.request.rows(0)) + bytes, 0, 0,
          false, bytes, false).getBytes());
      for (int i = 0; node != null; i++) {
        call.out.write(i);
        call.out.flush();
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  };

  /** The cause that the parent must report; null if any cause is accepted. */
  final FailureCause cause;

  HostileChild(FailureCause cause) {
    this.cause = cause;
  }

  abstract void answer(Call call) throws IOException, InterruptedException;

  @Override
  public void handle(Socket socket) throws IOException, InterruptedException {
    PartialSumRequest request = RequestFraming.read(new ChannelInput(socket.getInputStream()));
    answer(new Call(socket, request));
  }

  private static NodeProto.Builder node() {
    return NodeProto.newBuilder().setUuid("uuid").setIpAddr("10.0.0.1").setHostName("host")
        .setXferPort(1).setRepairPort(1).setRack("");
  }

  /** A received request whose answer has begun correctly. */
  static final class Call {
    private final Socket socket;
    private final OutputStream out;
    private final PartialSumRequest request;

    Call(Socket socket, PartialSumRequest request) throws IOException {
      this.socket = socket;
      this.out = socket.getOutputStream();
      this.request = request;
    }

    void say(PartialSumResponseProto answer) throws IOException {
      DataOutputStream data = new DataOutputStream(out);
      answer.writeDelimitedTo(data);
      data.flush();
    }

    void ready() throws IOException {
      say(PartialSumResponse.ready(
          DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512)));
    }

    void blame(NodeProto.Builder node) throws IOException {
      say(PartialSumResponseProto.newBuilder().setStatus(Status.ERROR_VALUE)
          .setFailure(FailureProto.newBuilder().setCause(FailureCause.DEAD.number)
              .setNode(node).setMessage("not me")).build());
    }

    /** Sends the rows of a slice, all zeros; with {@code damage}, their checksum is wrong. */
    void slice(int slice, int damage) throws IOException {
      int rows = request.rows(slice);
      int length = request.geometry.length(slice);
      ByteBuffer memory = ByteBuffer.allocate(SliceBuffer.bytesFor(rows, length));
      SliceBuffer buffer = new SliceBuffer(memory, rows);
      buffer.shape(rows, length);
      if (damage == 0) {
        new SliceWriter(out, request.geometry).send(slice, buffer);
      } else {
        out.write(new PacketHeader(Integer.BYTES * (1 + rows) + rows * length,
            request.geometry.offset(slice), slice, false, rows * length, false).getBytes());
        // The checksum field is zero as well, but the checksum of zeros is not zero.
        out.write(new byte[Integer.BYTES * rows + rows * length]);
      }
      out.flush();
    }
  }
}
