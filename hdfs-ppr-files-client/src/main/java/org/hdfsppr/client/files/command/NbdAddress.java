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

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.nbd.server.NbdListener;
import org.hdfsppr.client.nbd.server.TcpListener;
import org.hdfsppr.client.nbd.server.TlsKeys;
import org.hdfsppr.client.nbd.server.UnixListener;
import picocli.CommandLine.Option;

/**
 * The options of {@code hdfs ppr -nbd} that say at which address the server listens, and with which
 * key for TLS.
 */
final class NbdAddress {
  private static final int PORT_MOST = 65_535;
  /** How long a file with a password may be, bytes; a longer one is probably another file. */
  private static final long PASSWORD_BYTES_MOST = 4096;

  // Hadoop's own settings for the servers of its web pages.
  private static final String SERVER_FILE_KEY = "hadoop.ssl.server.conf";
  private static final String SERVER_FILE = "ssl-server.xml";
  private static final String KEY_STORE = "ssl.server.keystore.location";
  private static final String KEY_STORE_PASSWORD = "ssl.server.keystore.password";
  private static final String KEY_PASSWORD = "ssl.server.keystore.keypassword";
  private static final String TRUST_STORE = "ssl.server.truststore.location";
  private static final String TRUST_STORE_PASSWORD = "ssl.server.truststore.password";

  @Option(names = {"--unix", "-unix"}, paramLabel = "SOCKET", description = "Listen at a UNIX"
      + " socket, to which only the user that runs the command can connect. Without --unix and"
      + " --listen, it is in a new temporary directory.")
  private File unix;

  @Option(names = {"--listen", "-listen"}, paramLabel = "ADDR:PORT", description = "Listen at a TCP"
      + " port. Any user of the host can connect to a port of the loopback; for other addresses,"
      + " TLS is a must.")
  private String listen;

  @Option(names = {"--tls", "-tls"}, description = "Let clients use TLS also at the loopback, with"
      + " the key of Hadoop's ssl-server.xml unless --tls-keystore names one.")
  private boolean isTls;

  @Option(names = {"--tls-keystore", "-tls-keystore"}, paramLabel = "FILE",
      description = "A PKCS12 or JKS file with the key for TLS.")
  private File keyStore;

  @Option(names = {"--tls-truststore", "-tls-truststore"}, paramLabel = "FILE",
      description = "A PKCS12 or JKS file with the certificates of clients that may connect, or of"
          + " the authorities that sign them.")
  private File trustStore;

  @Option(names = {"--tls-password-file", "-tls-password-file"}, paramLabel = "FILE",
      description = "A file with the password of --tls-keystore and --tls-truststore.")
  private File passwordFile;

  @Option(names = {"--tls-any-client", "-tls-any-client"}, description = "Let clients connect"
      + " without a certificate. Any host that reaches the port can then read and write the"
      + " device.")
  private boolean isAnyClient;

  @Option(names = {"--tls-client", "-tls-client"}, paramLabel = "NAME", description = "Let only"
      + " clients connect whose certificate has this name: the CN of its subject, or an alternative"
      + " name (DNS, IP address, e-mail, URI). May be given several times. Without it, each client"
      + " comes in whose certificate the trust store vouches for.")
  private List<String> clients = new ArrayList<>();

  /** Returns what is wrong with the options; null if they are valid. */
  String wrong() {
    if (unix != null && listen != null) {
      return "use one of --unix and --listen";
    }
    boolean hasTlsOption = isTls || keyStore != null || trustStore != null || passwordFile != null
        || isAnyClient || !clients.isEmpty();
    if (listen == null && hasTlsOption) {
      return "TLS belongs to --listen";
    }
    if (keyStore == null && (trustStore != null || passwordFile != null)) {
      return "--tls-truststore and --tls-password-file belong to --tls-keystore";
    }
    if (keyStore != null && passwordFile == null) {
      return "--tls-keystore needs --tls-password-file";
    }
    if (isAnyClient && trustStore != null) {
      return "--tls-any-client and --tls-truststore contradict each other";
    }
    if (isAnyClient && !clients.isEmpty()) {
      return "--tls-any-client and --tls-client contradict each other";
    }
    if (clients.stream().anyMatch(name -> name.trim().isEmpty())) {
      return "--tls-client wants a name";
    }
    return listen == null ? null : wrongAddress();
  }

  private String wrongAddress() {
    int colon = listen.lastIndexOf(':');
    boolean isRight = colon > 0 && listen.substring(colon + 1).matches("\\d{1,5}")
        && Integer.parseInt(listen.substring(colon + 1)) <= PORT_MOST;
    return isRight ? null : "'" + listen + "' is no address such as 127.0.0.1:10809";
  }

  private InetSocketAddress address() {
    int colon = listen.lastIndexOf(':');
    String host = listen.substring(0, colon);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    return new InetSocketAddress(isBracketed ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(listen.substring(colon + 1)));
  }

  /**
   * Begins to listen.
   *
   * @param conf the client's configuration, which names the file with Hadoop's settings for TLS
   * @throws IOException if that is not possible; the message is a sentence that can be shown to
   *     users
   */
  NbdListener open(Configuration conf) throws IOException {
    if (listen == null) {
      return unix != null ? UnixListener.open(unix.toPath())
          : UnixListener.openInNewDirectory(Path.of(System.getProperty("java.io.tmpdir")));
    }
    InetSocketAddress address = address();
    boolean isLoopback = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    boolean isKeyWanted = isTls || keyStore != null || !isLoopback || !clients.isEmpty();
    return TcpListener.open(address,
        isKeyWanted ? Optional.of(keys(conf).onlyFor(clients)) : Optional.empty());
  }

  private TlsKeys keys(Configuration conf) throws IOException {
    if (keyStore != null) {
      char[] password = password();
      checkClients(trustStore);
      return TlsKeys.read(keyStore, password, password, trustStore, password);
    }
    String file = conf.get(SERVER_FILE_KEY, SERVER_FILE);
    Configuration server = new Configuration(false);
    server.addResource(file);
    String store = server.getTrimmed(KEY_STORE, "");
    if (store.isEmpty()) {
      throw new IOException("'" + listen + "' needs TLS, because other hosts can connect to it or"
          + " --tls is given, and there is no key: neither --tls-keystore nor " + KEY_STORE + " in "
          + file + " names one");
    }
    String trusted = isAnyClient ? "" : server.getTrimmed(TRUST_STORE, "");
    File trust = trusted.isEmpty() ? null : new File(trusted);
    checkClients(trust);
    char[] password = require(server, KEY_STORE_PASSWORD, file);
    char[] keyPassword = server.getPassword(KEY_PASSWORD);
    return TlsKeys.read(new File(store), password, keyPassword == null ? password : keyPassword,
        trust, trust == null ? null : require(server, TRUST_STORE_PASSWORD, file));
  }

  /**
   * Refuses TLS that lets in any client, unless the user has asked for that. NBD knows no users:
   * each client that can connect has the rights of the user that runs this command.
   */
  private void checkClients(File trust) throws IOException {
    if (trust == null && !isAnyClient) {
      throw new IOException("TLS alone keeps no client out: name the certificates of clients with"
          + " --tls-truststore or with " + TRUST_STORE + " in Hadoop's settings, or let any client"
          + " connect with --tls-any-client");
    }
  }

  private static char[] require(Configuration server, String key, String file)
      throws IOException {
    char[] password = server.getPassword(key);
    if (password == null) {
      throw new IOException(file + " lacks " + key);
    }
    return password;
  }

  private char[] password() throws IOException {
    Path file = passwordFile.toPath();
    if (Files.size(file) > PASSWORD_BYTES_MOST) {
      throw new IOException(file + " is no file with a password: it has " + Files.size(file)
          + " bytes");
    }
    return Files.readString(file).replaceAll("\\R\\z", "").toCharArray();
  }
}
