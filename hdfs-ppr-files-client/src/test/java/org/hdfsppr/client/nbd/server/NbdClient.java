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
package org.hdfsppr.client.nbd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.hdfsppr.client.nbd.server.UnixListener.UnixSockets;

/** A client of NBD that sends what a test wants, also what no other client would send. */
public final class NbdClient implements Closeable {
  public static final int READ = 0;
  public static final int WRITE = 1;
  public static final int DISCONNECT = 2;
  public static final int FLUSH = 3;
  public static final int TRIM = 4;
  public static final int WRITE_ZEROES = 6;
  public static final int FUA = 1;
  public static final int FAST = 1 << 4;

  /** The end of a request: its error, 0 if it was done, and the bytes of a read. */
  public static final class Reply {
    public final int error;
    public final byte[] data;

    Reply(int error, byte[] data) {
      this.error = error;
      this.data = data;
    }
  }

  private final Map<Long, Integer> reads = new HashMap<>();
  /** What is closed in the end. */
  private Closeable connection;
  /** Null if it is a UNIX socket. */
  private Socket socket;
  private DataInputStream in;
  private OutputStream out;
  private long cookie;
  private boolean isStructured;

  private NbdClient(Socket socket) throws IOException {
    use(socket);
  }

  private NbdClient(SocketChannel channel) {
    connection = channel;
    in = new DataInputStream(Channels.newInputStream(channel));
    out = Channels.newOutputStream(channel);
  }

  private void use(Socket now) throws IOException {
    connection = now;
    socket = now;
    in = new DataInputStream(now.getInputStream());
    out = now.getOutputStream();
  }

  /** Connects to a port of the loopback, and reads the greeting. */
  public static NbdClient connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    NbdClient client = new NbdClient(socket);
    client.in.readNBytes(18);
    return client;
  }

  /** Connects, and chooses the export with simple replies. */
  public static NbdClient open(int port) throws IOException {
    return connect(port).flags().go();
  }

  /** As the other method, through a UNIX socket. */
  public static NbdClient openUnix(Path path) throws IOException {
    SocketChannel channel = UnixSockets.client();
    channel.connect(UnixSockets.address(path));
    NbdClient client = new NbdClient(channel);
    client.in.readNBytes(18);
    return client.flags().go();
  }

  public static NbdClient openStructured(int port) throws IOException {
    NbdClient client = connect(port).flags();
    client.option(8);
    assertEquals(1, client.answer());
    client.isStructured = true;
    return client.go();
  }

  public NbdClient flags() throws IOException {
    out.write(new byte[] {0, 0, 0, 3});
    return this;
  }

  public void option(int number, byte... data) throws IOException {
    out.write(ByteBuffer.allocate(16 + data.length).putLong(0x49484156454F5054L).putInt(number)
        .putInt(data.length).put(data).array());
  }

  /** Reads an answer to an option, and returns its kind. */
  public int answer() throws IOException {
    assertEquals(0x3e889045565a9L, in.readLong());
    in.readInt();
    int kind = in.readInt();
    in.readNBytes(in.readInt());
    return kind;
  }

  public NbdClient go() throws IOException {
    option(7, new byte[6]);
    int kind;
    do {
      kind = answer();
    } while (kind == 3);
    assertEquals(1, kind);
    return this;
  }

  public NbdClient startTls(SSLContext context) throws IOException {
    option(5);
    assertEquals(1, answer());
    return upgrade(context);
  }

  /** Goes on in TLS. */
  NbdClient upgrade(SSLContext context) throws IOException {
    SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", 0,
        true);
    tls.startHandshake();
    use(tls);
    return this;
  }

  void raw(byte... bytes) throws IOException {
    out.write(bytes);
  }

  /** Sends a request; returns its cookie. */
  public long send(int flags, int type, long offset, int length, byte... data) throws IOException {
    cookie++;
    if (type == READ) {
      reads.put(cookie, length);
    }
    out.write(ByteBuffer.allocate(28 + data.length).putInt(0x25609513).putShort((short) flags)
        .putShort((short) type).putLong(cookie).putLong(offset).putInt(length).put(data).array());
    return cookie;
  }

  /** Reads the next reply; returns it with its cookie. */
  Map.Entry<Long, Reply> next() throws IOException {
    return isStructured ? nextStructured() : nextSimple();
  }

  private Map.Entry<Long, Reply> nextSimple() throws IOException {
    assertEquals(0x67446698, in.readInt());
    int error = in.readInt();
    long of = in.readLong();
    Integer length = reads.remove(of);
    return Map.entry(of, new Reply(error,
        in.readNBytes(error == 0 && length != null ? length : 0)));
  }

  private Map.Entry<Long, Reply> nextStructured() throws IOException {
    assertEquals(0x668e33ef, in.readInt());
    assertEquals(1, in.readShort());
    int type = in.readUnsignedShort();
    long of = in.readLong();
    byte[] content = in.readNBytes(in.readInt());
    ByteBuffer bytes = ByteBuffer.wrap(content);
    switch (type) {
      case 0:
        return Map.entry(of, new Reply(0, new byte[0]));
      case 1:
        assertEquals(reads.remove(of), content.length - 8);
        return Map.entry(of, new Reply(0, java.util.Arrays.copyOfRange(content, 8,
            content.length)));
      default:
        assertEquals(0x8001, type);
        return Map.entry(of, new Reply(bytes.getInt(), new byte[0]));
    }
  }

  public Reply call(int flags, int type, long offset, int length, byte... data) throws IOException {
    long sent = send(flags, type, offset, length, data);
    Map.Entry<Long, Reply> reply = next();
    assertEquals(sent, reply.getKey());
    return reply.getValue();
  }

  public byte[] read(long offset, int length) throws IOException {
    Reply reply = call(0, READ, offset, length);
    assertEquals(0, reply.error);
    return reply.data;
  }

  public void write(int flags, long offset, byte... data) throws IOException {
    assertEquals(0, call(flags, WRITE, offset, data.length, data).error);
  }

  public void flush() throws IOException {
    assertEquals(0, call(0, FLUSH, 0, 0).error);
  }

  /** Waits until the server closes the connection; returns how many bytes came before. */
  int awaitEnd() throws IOException {
    int bytes = 0;
    try {
      while (in.read() >= 0) {
        bytes++;
      }
    } catch (java.net.SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // A reset is an end as well.
      return bytes;
    }
    return bytes;
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
