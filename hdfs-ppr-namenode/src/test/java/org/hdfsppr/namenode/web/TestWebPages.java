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
package org.hdfsppr.namenode.web;

import static org.hdfsppr.namenode.web.Viewer.header;
import static org.hdfsppr.namenode.web.Viewer.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the web server of a NameNode answers with the plugin. */
@InterfaceAudience.Private
@Timeout(120)
class TestWebPages {
  /** Pages that each NameNode with the plugin has. */
  private static final List<String> PAGES = List.of("/ppr/", "/ppr/ppr.js", "/ppr/v1/status",
      "/ppr/v1/doctor", "/ppr/metrics");
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir
  private File directory;

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    return conf;
  }

  private static Configuration withPlugin(Configuration conf) {
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, PprNameNodePlugin.class.getName());
    return conf;
  }

  private MiniDFSCluster start(Configuration conf) throws IOException {
    return new MiniDFSCluster.Builder(conf, directory).numDataNodes(0).build();
  }

  private static Viewer viewerOf(MiniDFSCluster cluster) {
    return new Viewer(cluster.getNameNode().getHttpAddress().getPort());
  }

  private static void assertStatus(int status, Viewer viewer, String... headers)
      throws Exception {
    for (String path : PAGES) {
      HttpResponse<byte[]> answer = viewer.get(path, headers);
      assertEquals(status, answer.statusCode(), () -> path + ": " + text(answer));
    }
  }

  private static boolean hasEntry(Viewer viewer) throws Exception {
    HttpResponse<byte[]> page = viewer.get("/dfshealth.html");
    assertEquals(200, page.statusCode());
    return text(page).contains("<a href=\"ppr/\">Erasure-coded repairs</a>");
  }

  @Test
  void thePluginBringsItsPagesAndTakesThemAway() throws Exception {
    try (MiniDFSCluster cluster = start(conf()); PprNameNodePlugin plugin =
        new PprNameNodePlugin()) {
      Viewer viewer = viewerOf(cluster);
      assertStatus(404, viewer);
      plugin.start(cluster.getNameNode());
      HttpResponse<byte[]> page = viewer.get("/ppr/");
      assertEquals(200, page.statusCode());
      assertTrue(text(page).contains("<html") || text(page).contains("<!DOCTYPE html>"));
      assertTrue(header(page, "Content-Type").startsWith("text/html"));
      // Hadoop's filters set these; the servlet was added after them.
      assertEquals("SAMEORIGIN", header(page, "X-Frame-Options"));
      assertEquals("1; mode=block", header(page, "X-XSS-Protection"));
      assertStatus(200, viewer);
      assertTrue(hasEntry(viewer));
      plugin.stop();
      assertStatus(503, viewer);
      assertFalse(hasEntry(viewer));
      plugin.start(cluster.getNameNode());
      assertStatus(200, viewer);
    }
  }

  @Test
  void aSettingTakesThePageAndTheEntryAway() throws Exception {
    try (MiniDFSCluster cluster = start(conf()); PprNameNodePlugin plugin =
        new PprNameNodePlugin()) {
      Viewer viewer = viewerOf(cluster);
      NameNode namenode = cluster.getNameNode();
      namenode.getConf().setBoolean(PprKeys.NAMENODE_WEB_ENABLED_KEY, false);
      plugin.start(namenode);
      assertTrue(plugin.port() > 0);
      assertStatus(404, viewer);
      assertFalse(hasEntry(viewer));
      assertNull(namenode.getHttpServer().getAttribute(PageRegistry.ATTRIBUTE));
      plugin.stop();
      namenode.getConf().setBoolean(PprKeys.NAMENODE_WEB_ENABLED_KEY, true);
      plugin.start(namenode);
      assertStatus(200, viewer);
      assertTrue(hasEntry(viewer));
    }
  }

  /** A Hadoop without the method throws such an error when the method is called first. */
  @Test
  void aMissingWebServerCostsThePageAndNotTheRepairs() throws Exception {
    try (MiniDFSCluster cluster = start(conf()); PprNameNodePlugin plugin =
        new PprNameNodePlugin()) {
      NameNode namenode = spy(cluster.getNameNode());
      doThrow(new NoSuchMethodError("thrown on purpose")).when(namenode).getHttpServer();
      plugin.start(namenode);
      assertTrue(plugin.port() > 0);
      assertStatus(404, viewerOf(cluster));
    }
  }

  @Test
  void usersWhoMayNotReadJmxMayNotReadThePages() throws Exception {
    Configuration conf = withPlugin(conf());
    conf.set("hadoop.http.authentication.type", HeaderAuthentication.class.getName());
    conf.setBoolean("hadoop.security.authorization", true);
    conf.setBoolean("hadoop.security.instrumentation.requires.admin", true);
    conf.set(DFSConfigKeys.DFS_ADMIN, "boss");
    try (MiniDFSCluster cluster = start(conf)) {
      Viewer viewer = viewerOf(cluster);
      for (String path : List.of("/jmx?qry=x:y=z", "/ppr/", "/ppr/v1/none", "/ppr")) {
        assertEquals(401, viewer.get(path).statusCode(), path);
        assertEquals(403, viewer.get(path, HeaderAuthentication.USER, "user").statusCode(), path);
        assertEquals(401, viewer.send("POST", path).statusCode(), path);
      }
      assertEquals(401, viewer.get("/dfshealth.html").statusCode());
      assertStatus(200, viewer, HeaderAuthentication.USER, "boss");
    }
  }

  @Test
  void withSpnegoATicketOpensThePages() throws Exception {
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory);
    kdc.start();
    try {
      File keytab = new File(directory, "all.keytab");
      kdc.createPrincipal(keytab, "HTTP/localhost", "user");
      Configuration conf = withPlugin(conf());
      conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "localhost:0");
      conf.set("hadoop.http.authentication.type", "kerberos");
      conf.set("hadoop.http.authentication.kerberos.principal",
          "HTTP/localhost@" + kdc.getRealm());
      conf.set("hadoop.http.authentication.kerberos.keytab", keytab.getPath());
      try (MiniDFSCluster cluster = start(conf)) {
        int port = cluster.getNameNode().getHttpAddress().getPort();
        HttpResponse<byte[]> refused = new Viewer(port).get("/ppr/");
        assertEquals(401, refused.statusCode());
        assertEquals("Negotiate", header(refused, "WWW-Authenticate"));
        LoginContext login = new LoginContext("viewer", null, null, keytabOf("user", keytab));
        login.login();
        for (String path : PAGES) {
          URL url = new URL("http://localhost:" + port + path);
          int code = Subject.doAs(login.getSubject(), (PrivilegedExceptionAction<Integer>) () -> {
            HttpURLConnection answer =
                new AuthenticatedURL().openConnection(url, new AuthenticatedURL.Token());
            return answer.getResponseCode();
          });
          assertEquals(200, code, path);
        }
      }
    } finally {
      kdc.stop();
    }
  }

  /** The JVM keeps the address of the KDC of a class that ran before unless it is read anew. */
  private static javax.security.auth.login.Configuration keytabOf(String principal, File keytab) {
    return new javax.security.auth.login.Configuration() {
      @Override
      public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] {new AppConfigurationEntry(
            "com.sun.security.auth.module.Krb5LoginModule",
            AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
            Map.of("keyTab", keytab.getPath(), "principal", principal, "useKeyTab", "true",
                "storeKey", "true", "doNotPrompt", "true", "isInitiator", "true",
                "refreshKrb5Config", "true"))};
      }
    };
  }

  @Test
  void pagesAreServedByHttpsAlone() throws Exception {
    File keystore = new File(directory, "keystore.p12");
    Process keytool = new ProcessBuilder(System.getProperty("java.home") + "/bin/keytool",
        "-genkeypair", "-alias", "key", "-keyalg", "RSA", "-dname", "CN=localhost", "-ext",
        "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass", new String(PASSWORD),
        "-keystore", keystore.getPath()).inheritIO().start();
    assertTrue(keytool.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, keytool.exitValue());
    writeServerSettings(keystore);
    Configuration conf = withPlugin(conf());
    conf.set(DFSConfigKeys.DFS_HTTP_POLICY_KEY, "HTTPS_ONLY");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_RESOURCE_KEY, "ppr-ssl-server.xml");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader settings =
        new URLClassLoader(new URL[] {directory.toURI().toURL()}, before)) {
      // Hadoop looks for the file on the class path.
      Thread.currentThread().setContextClassLoader(settings);
      try (MiniDFSCluster cluster = start(conf)) {
        assertNull(cluster.getNameNode().getHttpAddress());
        Viewer viewer = new Viewer("https://127.0.0.1:"
            + cluster.getNameNode().getHttpsAddress().getPort(),
            HttpClient.newBuilder().sslContext(trusting(keystore)).build());
        assertStatus(200, viewer);
        assertEquals("ppr/", header(viewer.get("/ppr"), "Location"));
        assertTrue(hasEntry(viewer));
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private void writeServerSettings(File keystore) throws IOException {
    Configuration ssl = new Configuration(false);
    ssl.set("ssl.server.keystore.location", keystore.getPath());
    ssl.set("ssl.server.keystore.type", "pkcs12");
    ssl.set("ssl.server.keystore.password", new String(PASSWORD));
    ssl.set("ssl.server.keystore.keypassword", new String(PASSWORD));
    try (OutputStream out =
        Files.newOutputStream(directory.toPath().resolve("ppr-ssl-server.xml"))) {
      ssl.writeXml(out);
    }
  }

  private static SSLContext trusting(File keystore) throws Exception {
    KeyStore keys = KeyStore.getInstance(keystore, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("key"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
