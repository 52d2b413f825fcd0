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

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.apache.hadoop.classification.InterfaceAudience;

/** Stands between the callers of a port and the port, and records the bytes of both directions. */
@InterfaceAudience.Private
final class RecordingProxy implements Closeable {
  private final int target;
  private final FakePeer front;
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

  private RecordingProxy(int target) throws IOException {
    this.target = target;
    this.front = FakePeer.start(this::relay);
  }

  static RecordingProxy to(int port) throws IOException {
    return new RecordingProxy(port);
  }

  int port() {
    return front.port();
  }

  private void relay(Socket caller) throws IOException, InterruptedException {
    try (Socket server = new Socket("127.0.0.1", target)) {
      Thread back = new Thread(() -> pump(server, caller), "recording-proxy");
      back.setDaemon(true);
      back.start();
      pump(caller, server);
      back.join();
    } finally {
      caller.close();
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        record(bytes, n);
        out.write(bytes, 0, n);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      record(bytes, 0);
    }
  }

  private synchronized void record(byte[] bytes, int length) {
    passed.write(bytes, 0, length);
  }

  synchronized int size() {
    return passed.size();
  }

  /** Returns whether {@code needle} has passed in either direction. */
  synchronized boolean saw(byte[] needle) {
    byte[] bytes = passed.toByteArray();
    for (int at = 0; at <= bytes.length - needle.length; at++) {
      int i = 0;
      while (i < needle.length && bytes[at + i] == needle[i]) {
        i++;
      }
      if (i == needle.length) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    front.close();
  }
}
