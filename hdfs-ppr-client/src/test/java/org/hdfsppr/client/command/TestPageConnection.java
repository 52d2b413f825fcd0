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
package org.hdfsppr.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.command.NameNodePages.BoundedBody;
import org.hdfsppr.client.command.NameNodePages.PageConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the limits of what a command reads from a web server. */
@Timeout(60)
class TestPageConnection {
  private final Configuration conf = new Configuration(false);

  @Test
  void aServerThatIsSilentIsLeft() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      IOException e = assertThrows(IOException.class, () -> new PageConnection(conf, 1000, 1 << 20)
          .read("http://127.0.0.1:" + silent.getLocalPort(), "/ppr/v1/status"));
      assertTrue(e.getMessage().endsWith(" has not answered within 1 s"), e.getMessage());
    }
  }

  @Test
  void aServerThatHangsUpIsNamed() throws Exception {
    ServerSocket rude = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread hangsUp = new Thread(() -> {
      while (!rude.isClosed()) {
        try {
          Socket caller = rude.accept();
          caller.getInputStream().read();
          caller.close();
        } catch (IOException e) {
          // The test is over.
          return;
        }
      }
    });
    hangsUp.start();
    try {
      String address = "http://127.0.0.1:" + rude.getLocalPort();
      IOException e = assertThrows(IOException.class, () ->
          new PageConnection(conf, 10_000, 1 << 20).read(address, "/ppr/v1/status"));
      assertTrue(e.getMessage().startsWith("The NameNode at " + address + " has broken off: "),
          e.getMessage());
    } finally {
      rude.close();
      hangsUp.join();
    }
  }

  /** What counts is the length after unpacking. */
  @Test
  void aBodyThatIsTooLongIsRefused() throws IOException {
    String document = "{\"text\":\"" + "a".repeat(2 << 20) + "\"}";
    try (CannedNameNode server = new CannedNameNode()) {
      server.packed("/long", document.getBytes(StandardCharsets.UTF_8));
      String address = "http://127.0.0.1:" + server.port();
      IOException e = assertThrows(IOException.class, () ->
          new PageConnection(conf, 10_000, 1 << 20).read(address, "/long"));
      assertTrue(e.getMessage().endsWith("its answer is longer than 1 MiB"), e.getMessage());
      assertEquals(2 << 20, new PageConnection(conf, 10_000, 3 << 20).read(address, "/long")
          .get("text").asText().length());
    }
  }

  @Test
  void aBodyMayHaveItsGreatestLength() throws IOException {
    byte[] bytes = {1, 2, 3, 4};
    try (BoundedBody body = new BoundedBody(new ByteArrayInputStream(bytes), 4, 1000, () -> 0)) {
      assertEquals(4, body.readAllBytes().length);
      assertEquals(-1, body.read());
    }
    try (BoundedBody body = new BoundedBody(new ByteArrayInputStream(bytes), 3, 1000, () -> 0)) {
      assertThrows(IOException.class, body::readAllBytes);
    }
  }

  @Test
  void aBodyThatTakesTooLongIsLeft() throws IOException {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    try (BoundedBody body = new BoundedBody(new ByteArrayInputStream(new byte[9]), 9, 1000,
        nanos::get)) {
      assertEquals(0, body.read());
      nanos.addAndGet(1_000_000_001L);
      assertEquals("its answer takes too long",
          assertThrows(IOException.class, body::read).getMessage());
    }
  }
}
