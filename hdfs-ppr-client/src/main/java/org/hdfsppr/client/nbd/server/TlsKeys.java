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

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The server's key for TLS, and the certificates of clients that it trusts. NBD has no users: every
 * client that may connect has all rights of the user that runs the server. Immutable.
 */
@InterfaceAudience.Private
public final class TlsKeys {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final SSLContext context;
  private final boolean areClientsChecked;
  private final ClientNames names;

  private TlsKeys(SSLContext context, boolean areClientsChecked, ClientNames names) {
    this.context = context;
    this.areClientsChecked = areClientsChecked;
    this.names = names;
  }

  /**
   * Returns the same keys, with which only clients with one of the given names may connect.
   *
   * @param wanted the names, as {@link ClientNames} compares them; if empty, any trusted client may
   *     connect
   * @throws IllegalArgumentException if there are names although clients need no certificate
   */
  public TlsKeys onlyFor(Collection<String> wanted) {
    if (!wanted.isEmpty() && !areClientsChecked) {
      throw new IllegalArgumentException("Clients without a certificate have no name");
    }
    return new TlsKeys(context, areClientsChecked, new ClientNames(wanted));
  }

  /**
   * Reads the server's key and the trusted certificates.
   *
   * @param keyStore a file with the key, PKCS12 or JKS
   * @param password of the file
   * @param keyPassword of the key in it
   * @param trustStore a file with the certificates of clients, or of those that sign them; null if
   *     any client may connect
   * @param trustPassword of that file
   * @return the key
   * @throws IOException if a file cannot be read, or has no key
   */
  public static TlsKeys read(File keyStore, char[] password, char[] keyPassword, File trustStore,
      char[] trustPassword) throws IOException {
    try {
      KeyStore keys = store(keyStore, password);
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(keys, keyPassword);
      TrustManager[] trusted = null;
      if (trustStore != null) {
        TrustManagerFactory clients =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        clients.init(store(trustStore, trustPassword));
        trusted = clients.getTrustManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), trusted, null);
      return new TlsKeys(context, trustStore != null, new ClientNames(List.of()));
    } catch (GeneralSecurityException e) {
      throw new IOException("No key for TLS in " + keyStore + ": " + e.getMessage(), e);
    }
  }

  /** Reads a key store of any type that Java knows. */
  private static KeyStore store(File file, char[] password)
      throws IOException, GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance(file, password);
      if (store.size() == 0) {
        throw new IOException("it has no entry");
      }
      return store;
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("The store of keys " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Does the server's part of the TLS handshake. */
  Socket serve(Socket raw) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
    socket.setUseClientMode(false);
    socket.setNeedClientAuth(areClientsChecked);
    socket.setEnabledProtocols(PROTOCOLS);
    socket.startHandshake();
    try {
      if (areClientsChecked) {
        names.check(socket.getSession());
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }
}
