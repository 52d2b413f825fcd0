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
import java.net.ConnectException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a UNIX socket, to which only its owner and the root user of the host can connect. The
 * socket is first bound in a directory that other users cannot enter, and gets its permissions
 * there. Only then is it linked to its name, so that it never has other permissions under this
 * name. It replaces the socket of a server that has ended, but no other file.
 */
@InterfaceAudience.Private
public final class UnixListener extends NbdListener {
  private static final Logger LOG = LoggerFactory.getLogger(UnixListener.class);
  /** The longest path of a socket on Linux, bytes, without the zero that ends it. */
  private static final int PATH_BYTES_MOST = 107;
  /** The bits of a file's mode that hold its type, and their value for sockets. */
  private static final int TYPE_BITS = 0170000;
  private static final int TYPE_SOCKET = 0140000;
  private static final String OWNER_ONLY = "rw-------";
  private static final String DIRECTORY_OF_OWNER = "rwx------";

  private final Path path;
  private final ServerSocketChannel channel;
  private final Object key;
  /** The directory that was made for the socket, and is deleted with it; null if there is none. */
  private final Path ownDirectory;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private UnixListener(Path path, ServerSocketChannel channel, Object key, Path ownDirectory) {
    this.ownDirectory = ownDirectory;
    this.path = path;
    this.channel = channel;
    this.key = key;
  }

  /**
   * Makes a socket.
   *
   * @param socket the path of the socket
   * @return the listener
   * @throws IOException if the path names another file, if a server listens there already, or if
   *     this version of Java has no UNIX sockets
   */
  public static UnixListener open(Path socket) throws IOException {
    return open(socket, null);
  }

  /**
   * Makes a socket in a new directory, which is deleted with the socket.
   *
   * @param parent the parent of the new directory
   * @return the listener
   * @throws IOException if the directory or the socket cannot be made, or if this version of Java
   *     has no UNIX sockets
   */
  public static UnixListener openInNewDirectory(Path parent) throws IOException {
    Path directory = Files.createTempDirectory(parent, "hdfs-ppr-nbd");
    boolean isOpen = false;
    try {
      UnixListener listener = open(directory.resolve("socket"), directory);
      isOpen = true;
      return listener;
    } finally {
      if (!isOpen) {
        Files.delete(directory);
      }
    }
  }

  private static UnixListener open(Path socket, Path ownDirectory) throws IOException {
    Path path = socket.toAbsolutePath();
    Path parent = path.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new IOException("There is no directory for the socket " + path);
    }
    Path room = parent.resolve(
        String.format(".n%08x", ThreadLocalRandom.current().nextInt()));
    Path inRoom = room.resolve("s");
    checkLength(path);
    checkLength(inRoom);
    Object dead = dead(path);
    ServerSocketChannel channel = UnixSockets.server();
    boolean isOpen = false;
    try {
      Files.createDirectory(room, PosixFilePermissions.asFileAttribute(
          PosixFilePermissions.fromString(DIRECTORY_OF_OWNER)));
      try {
        channel.bind(UnixSockets.address(inRoom));
        Files.setPosixFilePermissions(inRoom, PosixFilePermissions.fromString(OWNER_ONLY));
        Object key = key(inRoom);
        if (dead != null) {
          delete(path, dead, room.resolve("old"));
        }
        // This fails if the name is taken. So if another server has just started with the same
        // name, it keeps the name.
        Files.createLink(path, inRoom);
        isOpen = true;
        return new UnixListener(path, channel, key, ownDirectory);
      } finally {
        Files.deleteIfExists(inRoom);
        Files.delete(room);
      }
    } catch (IOException e) {
      throw new IOException("No socket " + path + ": " + e, e);
    } finally {
      if (!isOpen) {
        IOUtils.cleanupWithLogger(LOG, channel);
      }
    }
  }

  private static void checkLength(Path path) throws IOException {
    if (path.toString().getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MOST) {
      throw new IOException("The path of the socket is too long for the system: " + path
          + "; choose a directory with a short path");
    }
  }

  /**
   * Examines the file that has the socket's name now.
   *
   * @return the file key (device and inode) of a socket on which no server listens any more; null
   *     if the name is free
   * @throws IOException if a server listens on the socket, or the file is no socket
   */
  private static Object dead(Path path) throws IOException {
    Map<String, Object> there;
    try {
      there = Files.readAttributes(path, "unix:mode,fileKey", LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    if (((Integer) there.get("mode") & TYPE_BITS) != TYPE_SOCKET) {
      throw new IOException(path + " exists, and is no socket");
    }
    SocketAddress address = UnixSockets.address(path);
    try (SocketChannel probe = UnixSockets.client()) {
      // The connect does not block, so that this server need not wait for one that is busy.
      probe.configureBlocking(false);
      probe.connect(address);
    } catch (ConnectException e) {
      LOG.debug("{} is of a server that has ended", path, e);
      return there.get("fileKey");
    } catch (IOException e) {
      throw new IOException("Another server may listen at " + path + ": " + e.getMessage()
          + "; delete it if none does", e);
    }
    throw new IOException("Another server listens at " + path);
  }

  /** Deletes a socket. If another file has its name by now, that one stays. */
  static void delete(Path path, Object key, Path aside) throws IOException {
    if (!key.equals(key(path))) {
      throw new IOException("Another server has just taken " + path);
    }
    Files.move(path, aside, StandardCopyOption.ATOMIC_MOVE);
    if (!key.equals(key(aside))) {
      // Another file has taken the name between the check and the move. It gets its name back.
      Files.createLink(path, aside);
      Files.delete(aside);
      throw new IOException("Another server has just taken " + path);
    }
    Files.delete(aside);
  }

  private static Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  @Override
  ClientWire accept() throws IOException {
    return new ChannelWire(channel.accept());
  }

  @Override
  Optional<TlsKeys> keys() {
    return Optional.empty();
  }

  @Override
  public String uri() {
    StringBuilder uri = new StringBuilder("nbd+unix:///?socket=");
    for (byte one : path.toString().getBytes(StandardCharsets.UTF_8)) {
      boolean isPlain = one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z'
          || one >= '0' && one <= '9' || "/._-~".indexOf(one) >= 0;
      uri.append(isPlain ? String.valueOf((char) one) : String.format("%%%02X", one));
    }
    return uri.toString();
  }

  @Override
  public void close() throws IOException {
    if (isClosed.getAndSet(true)) {
      return;
    }
    channel.close();
    // The file is deleted only if it is this server's socket. Another server may have taken the
    // name meanwhile.
    try {
      if (key != null && key.equals(key(path))) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} is deleted already", path, e);
    }
    if (ownDirectory != null) {
      Files.deleteIfExists(ownDirectory);
    }
  }

  /**
   * Makes UNIX sockets by the JDK. The JDK has them only since Java 16, and this code is compiled
   * for Java 11, so this class calls public methods by reflection. Hadoop has two other ways to
   * make them, but both need native code that may be missing: its DomainSocket needs libhadoop, and
   * Netty unpacks a library into the temporary directory, from which some hosts allow nothing to
   * run.
   */
  static final class UnixSockets {
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
}
