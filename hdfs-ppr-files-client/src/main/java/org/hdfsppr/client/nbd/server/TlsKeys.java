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
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/**
 * The server's key for TLS, and which certificates of clients it trusts. NBD knows no users: every
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
   * Returns the same keys, but lets only clients connect whose certificate has one of the given
   * names.
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
   * @param password the password of the key store
   * @param keyPassword the password of the key in the key store
   * @param trustStore a file with certificates of clients, or of authorities that sign them; null
   *     if any client may connect
   * @param trustPassword the password of the trust store
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

  /** Carries out the server's part of the TLS handshake, and checks the client's certificate. */
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

  /**
   * The names that a client's certificate may have. A certificate has the CN of its subject and
   * alternative names (DNS, IP address, e-mail, URI). One of these has to be in the list; upper and
   * lower case do not matter. There are no patterns: the name {@code *.example.com} in a
   * certificate matches only the same text in the list. Immutable.
   */
  static final class ClientNames {
    // The kinds of alternative names that are texts, by their numbers in RFC 5280, GeneralName.
    private static final Set<Integer> KINDS_OF_TEXT = Set.of(1, 2, 6, 7);
    private static final String COMMON_NAME = "CN";

    private final Set<String> wanted;

    /** @param wanted the list of names; if it is empty, any client may connect */
    ClientNames(Collection<String> wanted) {
      this.wanted = wanted.stream().map(ClientNames::key)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String key(String name) {
      return name.trim().toLowerCase(Locale.ROOT);
    }

    /**
     * Checks the client of a connection.
     *
     * @throws IOException if it has no certificate, or one without a wanted name
     */
    void check(SSLSession session) throws IOException {
      if (wanted.isEmpty()) {
        return;
      }
      Certificate own = session.getPeerCertificates()[0];
      Set<String> found = own instanceof X509Certificate ? of((X509Certificate) own) : Set.of();
      if (found.stream().noneMatch(wanted::contains)) {
        throw new IOException("The client's certificate is for "
            + PeerText.oneLine(found.toString())
            + ", and --tls-client names " + wanted);
      }
    }

    /** Returns all names of a certificate, in lower case. */
    private static Set<String> of(X509Certificate certificate) throws IOException {
      Set<String> names = new TreeSet<>();
      try {
        for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
          if (COMMON_NAME.equalsIgnoreCase(part.getType()) && part.getValue() instanceof String) {
            names.add(key((String) part.getValue()));
          }
        }
        Collection<List<?>> others = certificate.getSubjectAlternativeNames();
        if (others != null) {
          for (List<?> other : others) {
            if (KINDS_OF_TEXT.contains(other.get(0)) && other.get(1) instanceof String) {
              names.add(key((String) other.get(1)));
            }
          }
        }
      } catch (InvalidNameException | CertificateParsingException e) {
        throw new IOException("The client's certificate has names that cannot be read: "
            + e.getMessage(), e);
      }
      return names;
    }
  }
}
