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
import javax.net.ssl.SSLSession;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/**
 * The names of clients that may connect by TLS. A certificate that the trust store vouches for
 * names its owner by the CN of its subject and by alternative names (DNS, IP address, e-mail,
 * URI). One of them has to be in the list, without regard to upper and lower case. There are no
 * patterns: a name such as {@code *.example.com} in a certificate is that text. Immutable.
 */
@InterfaceAudience.Private
final class ClientNames {
  // RFC 5280, GeneralName.
  private static final Set<Integer> KINDS_OF_TEXT = Set.of(1, 2, 6, 7);
  private static final String COMMON_NAME = "CN";

  private final Set<String> wanted;

  /** @param wanted the names; every client may connect if there are none */
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
      throw new IOException("The client's certificate is for " + PeerText.oneLine(found.toString())
          + ", and --tls-client names " + wanted);
    }
  }

  /** Returns all names of a certificate's owner. */
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
