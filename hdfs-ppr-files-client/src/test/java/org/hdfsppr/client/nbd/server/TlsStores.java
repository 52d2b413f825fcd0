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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys of a server, of a client that it trusts, and of one that it does not. */
public final class TlsStores {
  public static final String PASSWORD = "password";

  private final Path directory;

  /** Makes them with the JDK's tool; each certificate is its own authority. */
  public TlsStores(Path directory) throws Exception {
    this.directory = directory;
    pair("server", "PKCS12");
    pair("client", "JKS");
    pair("stranger", "PKCS12");
    trust("client", trusted());
    trust("client", company());
    trust("stranger", company());
    trust("server", servers());
  }

  public Path server() {
    return directory.resolve("server.keys");
  }

  public Path client() {
    return directory.resolve("client.keys");
  }

  Path stranger() {
    return directory.resolve("stranger.keys");
  }

  /** Returns the store of the clients that the server trusts. */
  public Path trusted() {
    return directory.resolve("trusted.keys");
  }

  /** Returns a store that vouches for the stranger, too. */
  Path company() {
    return directory.resolve("company.keys");
  }

  private Path servers() {
    return directory.resolve("servers.keys");
  }

  private void pair(String name, String kind) throws Exception {
    keytool("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-ext",
        "SAN=dns:localhost,dns:" + name + ".example.com",
        "-validity", "2", "-storetype", kind, "-keypass", PASSWORD,
        "-keystore", directory.resolve(name + ".keys").toString());
  }

  private void trust(String name, Path store) throws Exception {
    Path certificate = directory.resolve(name + ".pem");
    keytool("-exportcert", "-rfc", "-alias", name, "-keystore",
        directory.resolve(name + ".keys").toString(), "-file", certificate.toString());
    keytool("-importcert", "-noprompt", "-alias", name, "-file", certificate.toString(),
        "-storetype", "PKCS12", "-keystore", store.toString());
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storepass", PASSWORD));
    Path log = directory.resolve("log");
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(log.toFile()).start();
    assertTrue(keytool.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, keytool.exitValue(), Files.readString(log));
  }

  /** Returns what a client with this key, or without one, connects with. */
  public SSLContext context(Path keys) throws Exception {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(load(servers()));
    KeyManager[] own = null;
    if (keys != null) {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(load(keys), PASSWORD.toCharArray());
      own = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, trusted.getTrustManagers(), null);
    return context;
  }

  private static KeyStore load(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }
}
