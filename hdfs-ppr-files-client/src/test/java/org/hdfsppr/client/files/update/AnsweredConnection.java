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
package org.hdfsppr.client.files.update;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.hdfsppr.stream.TransferConnection;

/** A connection to a peer in the test. The peer answers when the client begins to read. */
final class AnsweredConnection implements TransferConnection {
  /** Answers a request. */
  interface Peer {
    byte[] answer(byte[] request) throws IOException;

    /** The client ends the connection, while it waits for the answer. */
    default void abort() {
      // Most tests wait for no connection.
    }
  }

  private final ByteArrayOutputStream request = new ByteArrayOutputStream();
  private final boolean isReused;
  private final Peer peer;

  /** @param isReused whether the client takes it for a connection that was used before */
  AnsweredConnection(boolean isReused, Peer peer) {
    this.isReused = isReused;
    this.peer = peer;
  }

  @Override
  public OutputStream out() {
    return request;
  }

  @Override
  public InputStream in() {
    return new InputStream() {
      private InputStream answer;

      @Override
      public int read() throws IOException {
        if (answer == null) {
          answer = new ByteArrayInputStream(peer.answer(request.toByteArray()));
        }
        return answer.read();
      }
    };
  }

  @Override
  public void setTimeout(int timeoutMs) {
    // The test's timeout ends what hangs.
  }

  @Override
  public boolean isReused() {
    return isReused;
  }

  @Override
  public void abort() {
    peer.abort();
  }

  @Override
  public void close() {
    // There is nothing to give back.
  }
}
