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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hdfsppr.client.device.MemoryDevice;
import org.hdfsppr.client.nbd.server.UnixListener.UnixSockets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests UNIX sockets: their rights, their names, and a client that comes through one. */
@Timeout(60)
class TestNbdSockets {
  private static final int JAVA_WITH_SOCKETS = 16;

  @TempDir
  private Path directory;

  @BeforeEach
  void needJava() {
    assumeTrue(Runtime.version().feature() >= JAVA_WITH_SOCKETS, "SKIPPED: this is Java "
        + Runtime.version() + ", which has no UNIX sockets");
  }

  private static String greeting(Path socket) throws IOException {
    try (SocketChannel client = UnixSockets.client()) {
      client.connect(UnixSockets.address(socket));
      ByteBuffer greeting = ByteBuffer.allocate(16);
      while (greeting.hasRemaining()) {
        assertTrue(client.read(greeting) > 0);
      }
      return new String(greeting.array(), StandardCharsets.US_ASCII);
    }
  }

  private static String[] names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).sorted().toArray(String[]::new);
    }
  }

  @Test
  void onlyTheOwnerConnects() throws Exception {
    Path socket = directory.resolve("disk.sock");
    UnixListener listener = UnixListener.open(socket);
    NbdServer server = new NbdServer(new MemoryDevice(1 << 20, false, false), "memory", listener,
        ServerLimits.of(1L << 30));
    server.start();
    assertEquals("rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    assertArrayEquals(new String[] {"disk.sock"}, names(directory));
    assertEquals("nbd+unix:///?socket=" + socket, listener.uri());
    assertEquals("NBDMAGICIHAVEOPT", greeting(socket));
    assertTrue(assertThrows(IOException.class, () -> UnixListener.open(socket)).getMessage()
        .startsWith("Another server listens at "));
    server.stop();
    assertArrayEquals(new String[0], names(directory));
  }

  @Test
  void aDirectoryOfItsOwnGoesWithTheSocket() throws Exception {
    UnixListener listener = UnixListener.openInNewDirectory(directory);
    assertEquals(1, names(directory).length);
    listener.close();
    assertArrayEquals(new String[0], names(directory));
    Path deep = Files.createDirectory(directory.resolve("x".repeat(100)));
    assertThrows(IOException.class, () -> UnixListener.openInNewDirectory(deep));
    assertArrayEquals(new String[0], names(deep));
  }

  @Test
  void urisAreEscaped() throws Exception {
    Path socket = directory.resolve("a b&c%.sock");
    try (UnixListener listener = UnixListener.open(socket)) {
      assertEquals("nbd+unix:///?socket=" + directory + "/a%20b%26c%25.sock",
          listener.uri());
    }
  }

  @Test
  void aSocketOfAServerThatHasEndedIsReplaced() throws Exception {
    Path socket = directory.resolve("disk.sock");
    try (ServerSocketChannel old = UnixSockets.server()) {
      old.bind(UnixSockets.address(socket));
    }
    assertTrue(Files.exists(socket));
    UnixListener second = UnixListener.open(socket);
    second.close();
    assertFalse(Files.exists(socket));
  }

  @Test
  void aNameThatAnotherServerHasTakenStays() throws Exception {
    Path socket = directory.resolve("disk.sock");
    UnixListener first = UnixListener.open(socket);
    Files.delete(socket);
    UnixListener second = UnixListener.open(socket);
    first.close();
    assertTrue(Files.exists(socket));
    second.close();
  }

  @Test
  void pipesStay() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertTrue(assertThrows(IOException.class, () -> UnixListener.open(pipe)).getMessage()
        .endsWith(" exists, and is no socket"));
    assertArrayEquals(new String[] {"pipe"}, names(directory));
  }

  /** A server that takes no connection at the moment, for whatever reason, is alive. */
  @Test
  void aSocketThatCannotBeAskedStays() throws Exception {
    Path socket = directory.resolve("disk.sock");
    List<SocketChannel> waiting = new ArrayList<>();
    try (ServerSocketChannel busy = UnixSockets.server()) {
      busy.bind(UnixSockets.address(socket), 1);
      Object key = Files.readAttributes(socket, BasicFileAttributes.class).fileKey();
      // Until its queue is full.
      assertThrows(IOException.class, () -> {
        while (true) {
          SocketChannel one = UnixSockets.client();
          waiting.add(one);
          one.configureBlocking(false);
          one.connect(UnixSockets.address(socket));
        }
      });
      assertTrue(assertThrows(IOException.class, () -> UnixListener.open(socket)).getMessage()
          .startsWith("Another server may listen at "));
      assertEquals(key, Files.readAttributes(socket, BasicFileAttributes.class).fileKey());
    } finally {
      for (SocketChannel one : waiting) {
        one.close();
      }
    }
    assertArrayEquals(new String[] {"disk.sock"}, names(directory));
  }

  /** Of two servers that find the same dead socket, the second one leaves the first one's. */
  @Test
  void aSocketThatCameMeanwhileStays() throws Exception {
    Path socket = directory.resolve("disk.sock");
    Path dead = directory.resolve("dead");
    try (ServerSocketChannel old = UnixSockets.server()) {
      old.bind(UnixSockets.address(dead));
    }
    Object key = Files.readAttributes(dead, BasicFileAttributes.class).fileKey();
    UnixListener first = UnixListener.open(socket);
    assertTrue(assertThrows(IOException.class,
        () -> UnixListener.delete(socket, key, directory.resolve("old"))).getMessage()
        .startsWith("Another server has just taken "));
    assertArrayEquals(new String[] {"dead", "disk.sock"}, names(directory));
    first.close();
    UnixListener.delete(dead, key, directory.resolve("old"));
    assertArrayEquals(new String[0], names(directory));
  }

  @Test
  void otherFilesStay() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "text");
    assertTrue(assertThrows(IOException.class, () -> UnixListener.open(file)).getMessage()
        .endsWith(" exists, and is no socket"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThrows(IOException.class, () -> UnixListener.open(link));
    assertEquals("text", Files.readString(file));
    assertTrue(assertThrows(IOException.class,
        () -> UnixListener.open(directory.resolve("none/disk.sock"))).getMessage()
        .startsWith("There is no directory for the socket "));
    assertTrue(assertThrows(IOException.class,
        () -> UnixListener.open(directory.resolve("x".repeat(100)))).getMessage()
        .startsWith("The path of the socket is too long for the system: "));
    assertArrayEquals(new String[] {"file", "link"}, names(directory));
  }
}
