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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.client.device.MemoryDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests connections by TLS. */
@Timeout(60)
class TestNbdTls {
  @TempDir
  static Path directory;
  private static TlsStores stores;

  private NbdServer server;

  @BeforeAll
  static void make() throws Exception {
    stores = new TlsStores(directory);
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.stop();
    }
  }

  private int start(TlsKeys keys) throws IOException {
    TcpListener listener = TcpListener.open(new InetSocketAddress("0.0.0.0", 0),
        Optional.of(keys));
    server = new NbdServer(new MemoryDevice(64 << 20, false, false), "memory", listener,
        ServerLimits.of(1L << 30));
    server.start();
    assertTrue(listener.uri().startsWith("nbds://0.0.0.0:"), listener.uri());
    return listener.port();
  }

  private TlsKeys checked() throws IOException {
    char[] password = TlsStores.PASSWORD.toCharArray();
    return TlsKeys.read(stores.server().toFile(), password, password,
        stores.trusted().toFile(), password);
  }

  @Test
  void clientsWithACertificateComeIn() throws Exception {
    int port = start(checked());
    try (NbdClient client = NbdClient.connect(port).flags()
        .startTls(stores.context(stores.client()))) {
      client.go();
      byte[] data = new byte[20 << 20];
      Arrays.fill(data, (byte) 7);
      client.write(1, 100, data);
      assertArrayEquals(data, client.read(100, data.length));
      client.send(0, NbdClient.DISCONNECT, 0, 0);
      assertEquals(0, client.awaitEnd());
    }
  }

  @Test
  void othersDoNot() throws Exception {
    int port = start(checked());
    for (Path keys : new Path[] {null, stores.stranger()}) {
      try (NbdClient client = NbdClient.connect(port).flags()) {
        // TLS 1.3 refuses a client after the client's part of the handshake.
        assertThrows(IOException.class,
            () -> client.startTls(stores.context(keys)).go());
      }
    }
    try (NbdClient client = NbdClient.connect(port).flags()) {
      client.option(7, new byte[6]);
      assertEquals(1 << 31 | 5, client.answer());
      client.option(3);
      assertEquals(1 << 31 | 5, client.answer());
    }
    try (NbdClient client = NbdClient.connect(port).flags()) {
      client.option(1);
      assertEquals(0, client.awaitEnd());
    }
    // What is sent in the clear before TLS begins is no part of TLS.
    try (NbdClient client = NbdClient.connect(port).flags()) {
      // Both in one packet. The option would be the first record of TLS, which it is not.
      client.raw(ByteBuffer.allocate(16 + 16 + 6)
          .putLong(0x49484156454F5054L).putInt(5).putInt(0)
          .putLong(0x49484156454F5054L).putInt(7).putInt(6).array());
      assertEquals(1, client.answer());
      assertThrows(IOException.class, () -> client.upgrade(stores.context(stores.client())));
    }
  }

  /** The server trusts the client and the stranger, as it would trust a whole company's. */
  @Test
  void onlyNamedClientsIfNamesAreGiven() throws Exception {
    char[] password = TlsStores.PASSWORD.toCharArray();
    TlsKeys both = TlsKeys.read(stores.server().toFile(), password, password,
        stores.company().toFile(), password);
    for (String name : new String[] {"client", "CLIENT ", "client.example.com"}) {
      int port = start(both.onlyFor(List.of("other", name)));
      try (NbdClient client = NbdClient.connect(port).flags()
          .startTls(stores.context(stores.client()))) {
        client.go().read(0, 10);
      }
      try (NbdClient client = NbdClient.connect(port).flags()) {
        assertThrows(IOException.class,
            () -> client.startTls(stores.context(stores.stranger())).go());
      }
      stop();
    }
    int port = start(both);
    try (NbdClient client = NbdClient.connect(port).flags()
        .startTls(stores.context(stores.stranger()))) {
      client.go().read(0, 10);
    }
    assertThrows(IllegalArgumentException.class, () -> TlsKeys.read(stores.server().toFile(),
        password, password, null, null).onlyFor(List.of("client")));
  }

  @Test
  void anyClientIfThatIsWanted() throws Exception {
    char[] password = TlsStores.PASSWORD.toCharArray();
    int port = start(TlsKeys.read(stores.server().toFile(), password, password, null, null));
    try (NbdClient client = NbdClient.connect(port).flags().startTls(stores.context(null))) {
      client.go().read(0, 10);
    }
  }

  @Test
  void storesThatCannotBeReadAreNamed() throws Exception {
    char[] password = TlsStores.PASSWORD.toCharArray();
    Path text = Files.writeString(directory.resolve("text"), "no keys");
    for (Path wrong : new Path[] {text, directory.resolve("none")}) {
      assertTrue(assertThrows(IOException.class, () -> TlsKeys.read(wrong.toFile(), password,
          password, null, null)).getMessage().contains(wrong.toString()));
    }
    assertThrows(IOException.class, () -> TlsKeys.read(stores.server().toFile(),
        "wrong".toCharArray(), password, null, null));
  }
}
