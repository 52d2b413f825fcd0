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

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * UNIX sockets of the JDK, which has them from Java 16 on, while this code is compiled for Java 11.
 * All methods that are called by reflection are public. Hadoop has two other ways, and both need
 * native code that may be missing: its DomainSocket needs libhadoop, and Netty unpacks a library
 * into the temporary directory, from which some hosts run nothing.
 */
@InterfaceAudience.Private
final class UnixSockets {
  private static final String OPEN = "open";

  private UnixSockets() {
  }

  /** Opens a channel that can be bound to an {@link #address}. */
  static ServerSocketChannel server() throws IOException {
    return (ServerSocketChannel) call(ServerSocketChannel.class, OPEN, ProtocolFamily.class,
        family());
  }

  /** Opens a channel that can be connected to an {@link #address}. */
  static SocketChannel client() throws IOException {
    return (SocketChannel) call(SocketChannel.class, OPEN, ProtocolFamily.class, family());
  }

  static SocketAddress address(Path path) throws IOException {
    try {
      return (SocketAddress) call(Class.forName("java.net.UnixDomainSocketAddress"), "of",
          Path.class, path);
    } catch (ClassNotFoundException e) {
      throw tooOld(e);
    }
  }

  private static ProtocolFamily family() throws IOException {
    try {
      return StandardProtocolFamily.valueOf("UNIX");
    } catch (IllegalArgumentException e) {
      throw tooOld(e);
    }
  }

  private static Object call(Class<?> in, String name, Class<?> type, Object argument)
      throws IOException {
    try {
      return in.getMethod(name, type).invoke(null, argument);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException ? (IOException) cause
          : new IOException("No UNIX socket: " + cause, cause);
    } catch (ReflectiveOperationException e) {
      throw tooOld(e);
    }
  }

  private static IOException tooOld(Exception e) {
    return new IOException("UNIX sockets need Java 16 or newer, and this is Java "
        + System.getProperty("java.specification.version") + "; run hdfs with a newer Java"
        + " (JAVA_HOME), or use --listen 127.0.0.1:10809", e);
  }
}
