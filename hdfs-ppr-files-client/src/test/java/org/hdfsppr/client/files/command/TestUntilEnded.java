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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.client.device.MemoryDevice;
import org.hdfsppr.client.nbd.server.NbdServer;
import org.hdfsppr.client.nbd.server.ServerLimits;
import org.hdfsppr.client.nbd.server.TcpListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what the process says when the server did not end in order. */
@Timeout(60)
class TestUntilEnded {
  private final MemoryDevice device = new MemoryDevice(1 << 20, false, false);
  private final List<Integer> codes = new ArrayList<>();

  private NbdServer start() throws IOException {
    NbdServer server = new NbdServer(device, "memory",
        TcpListener.open(new InetSocketAddress("127.0.0.1", 0), Optional.empty()),
        ServerLimits.of(1L << 30));
    server.start();
    return server;
  }

  @Test
  void aFlushThatFailsEndsTheProcessWithAFailure() throws Exception {
    NbdServer server = start();
    device.before((what, offset, length) -> {
      throw new IOException("no disk");
    });
    new UntilEnded(server, codes::add).stopAtEnd();
    assertEquals(List.of(1), codes);
    assertEquals("no disk", assertThrows(IOException.class,
        () -> new UntilEnded(server, codes::add).run()).getMessage());
  }

  @Test
  void anEndInOrderGoesItsWay() throws Exception {
    NbdServer server = start();
    new UntilEnded(server, codes::add).stopAtEnd();
    new UntilEnded(server, codes::add).run();
    assertEquals(List.of(), codes);
    assertEquals(1, device.flushes());
  }
}
