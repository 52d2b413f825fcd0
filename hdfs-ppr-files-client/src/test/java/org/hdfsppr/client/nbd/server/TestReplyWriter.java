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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that no failure of a connection keeps room of replies. */
@Timeout(60)
class TestReplyWriter {
  private static final int ROOM = 1 << 20;

  /** Fails each write with an error of any kind. */
  private static final class FailingWire implements ClientWire {
    private final Throwable why;
    private boolean isAborted;

    FailingWire(Throwable why) {
      this.why = why;
    }

    @Override
    public int read(ByteBuffer into) {
      return -1;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
      if (why instanceof Error) {
        throw (Error) why;
      }
      if (why instanceof RuntimeException) {
        throw (RuntimeException) why;
      }
      throw (IOException) why;
    }

    @Override
    public void startTls(TlsKeys keys) {
      throw new IllegalStateException();
    }

    @Override
    public void abort() {
      isAborted = true;
      throw new IllegalStateException("not closed");
    }

    @Override
    public void close() {
      abort();
    }
  }

  @Test
  void allRoomIsGivenBackWhateverFails() throws Exception {
    for (Throwable why : new Throwable[] {new IOException("gone"), new OutOfMemoryError("direct"),
        new IllegalStateException("a mistake")}) {
      for (int length : new int[] {10, 200_000}) {
        ByteBudget budget = new ByteBudget(ROOM, 0, ROOM, 100, () -> 0);
        ByteBudget.Share share = budget.share();
        FailingWire wire = new FailingWire(why);
        ReplyWriter writer = new ReplyWriter(wire, new ClientDeadline(() -> 0), 1,
              new ClientPace(() -> 0));
        for (int i = 0; i < 4; i++) {
          writer.add(ByteBuffer.allocate(16), ByteBuffer.allocate(length), share.take(length));
        }
        writer.finish();
        writer.run();
        assertEquals(ROOM, budget.free());
        assertTrue(share.isNone());
        assertTrue(wire.isAborted);
        Throwable found = writer.failure();
        assertSame(why, why instanceof IOException ? found : found.getCause());
      }
    }
  }
}
