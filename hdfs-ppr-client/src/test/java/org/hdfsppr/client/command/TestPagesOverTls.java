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
package org.hdfsppr.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands on a cluster whose web servers have HTTPS only. */
@Timeout(60)
class TestPagesOverTls {
  private static final String PASSWORD = "password";

  @TempDir
  private Path directory;

  /** Makes a key for 127.0.0.1, whose certificate is its own authority. */
  private Path keys() throws Exception {
    Path store = directory.resolve("keys.jks");
    Process keytool = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
        "-alias", "namenode", "-keyalg", "EC", "-dname", "CN=127.0.0.1", "-ext",
        "SAN=ip:127.0.0.1", "-validity", "2", "-storetype", "JKS", "-storepass", PASSWORD,
        "-keypass", PASSWORD, "-keystore", store.toString())
        .redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile()).start();
    assertTrue(keytool.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, keytool.exitValue(), Files.readString(directory.resolve("log")));
    return store;
  }

  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /** Writes the client's settings of TLS to the class path, where Hadoop looks for them. */
  private static Path settings(String properties) throws Exception {
    URI pages = CannedNameNode.class.getResource("/pages/status.json").toURI();
    Path file = Files.createTempFile(Path.of(pages).getParent().getParent(), "ssl-", ".xml");
    Files.writeString(file, "<configuration>" + properties + "</configuration>");
    return file;
  }

  private static Configuration conf(CannedNameNode nameNode, Path settings) throws IOException {
    Configuration conf = nameNode.conf();
    conf.unset("dfs.namenode.http-address");
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.namenode.https-address", "127.0.0.1:" + nameNode.port());
    conf.set("hadoop.ssl.client.conf", settings.getFileName().toString());
    return conf;
  }

  @Test
  void theTrustStoreDecides() throws Exception {
    Path store = keys();
    Path trusting = settings("<property><name>ssl.client.truststore.location</name><value>" + store
        + "</value></property><property><name>ssl.client.truststore.password</name><value>"
        + PASSWORD + "</value></property>");
    Path strict = settings("");
    try (CannedNameNode nameNode = CannedNameNode.withTls(context(store)).withAll()) {
      ToolRun tool = new ToolRun(conf(nameNode, trusting));
      assertEquals(0, tool.run("-status"), tool.err());
      assertEquals(CannedNameNode.resource("status.txt"), tool.out());
      tool = new ToolRun(conf(nameNode, strict));
      assertEquals(1, tool.run("-status"), tool.out());
      assertTrue(tool.err().startsWith("No TLS connection to https://127.0.0.1:"), tool.err());
      assertTrue(tool.err().contains("trust store of ssl-client.xml?"), tool.err());
      assertEquals(1, tool.err().lines().count(), tool.err());
    } finally {
      Files.delete(trusting);
      Files.delete(strict);
    }
  }
}
