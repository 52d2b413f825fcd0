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

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferTestCase;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * A KDC for the tests of a class, and configurations of clusters that use it. The KDC is that of
 * Hadoop's own tests of SASL. The web servers of such clusters need a key, which the JDK's keytool
 * makes, because Hadoop's helper needs a library that some versions do not have.
 */
@InterfaceAudience.Private
public final class Kerberos {
  private static final String PASSWORD = "changeit";

  private final Path keystore;
  private final Path sslFile;

  private Kerberos(Path keystore, Path sslFile) {
    this.keystore = keystore;
    this.sslFile = sslFile;
  }

  /**
   * @param test a test class, whose folder of classes gets a configuration file of its own: two
   *     JVMs may run tests of one folder
   */
  public static Kerberos start(Class<?> test) throws Exception {
    SaslDataTransferTestCase.initKdc();
    Path keystore = Paths.get(SaslDataTransferTestCase.getHdfsKeytab())
        .resolveSibling("server.jks");
    makeKey(keystore);
    // Hadoop finds the file by its name on the class path.
    URI classes = test.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path sslFile = Paths.get(classes)
        .resolve("ssl-server-of-" + test.getSimpleName() + ".xml");
    Configuration ssl = new Configuration(false);
    ssl.set("ssl.server.keystore.location", keystore.toString());
    ssl.set("ssl.server.keystore.password", PASSWORD);
    ssl.set("ssl.server.keystore.keypassword", PASSWORD);
    try (OutputStream out = Files.newOutputStream(sslFile)) {
      ssl.writeXml(out);
    }
    return new Kerberos(keystore, sslFile);
  }

  private static void makeKey(Path keystore) throws IOException, InterruptedException {
    Files.deleteIfExists(keystore);
    File log = new File(keystore + ".log");
    int status = new ProcessBuilder(
        Paths.get(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
        "-alias", "server", "-keyalg", "RSA", "-dname", "CN=localhost", "-validity", "30",
        "-storetype", "JKS", "-keystore", keystore.toString(), "-storepass", PASSWORD,
        "-keypass", PASSWORD)
        .redirectErrorStream(true).redirectOutput(log).start().waitFor();
    if (status != 0) {
      throw new IOException("keytool failed, see " + log);
    }
  }

  /**
   * Returns the configuration of a cluster with Kerberos and block tokens.
   *
   * @param protection the value of {@code dfs.data.transfer.protection}
   */
  public Configuration configuration(String protection) {
    String principal = SaslDataTransferTestCase.getHdfsPrincipal();
    String keytab = SaslDataTransferTestCase.getHdfsKeytab();
    String realm = principal.substring(principal.indexOf('@'));
    String ssl = sslFile.getFileName().toString();
    Configuration conf = new HdfsConfiguration();
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab);
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, principal);
    conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab);
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY,
        "HTTP/localhost" + realm);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, protection);
    conf.set(DFSConfigKeys.DFS_HTTP_POLICY_KEY, HttpConfig.Policy.HTTPS_ONLY.name());
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, "localhost:0");
    conf.set(DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_KEY, "localhost:0");
    conf.set(DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_RESOURCE_KEY, ssl);
    conf.set(SSLFactory.SSL_SERVER_CONF_KEY, ssl);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SASL_KEY, 10);
    return conf;
  }

  /** Switches security on for the whole JVM, and logs in as the user of the daemons. */
  public static void logIn(Configuration conf) throws IOException {
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(SaslDataTransferTestCase.getHdfsPrincipal(),
        SaslDataTransferTestCase.getHdfsKeytab());
  }

  /** Returns a user with a ticket, and without rights of a superuser. */
  public static UserGroupInformation user() throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        SaslDataTransferTestCase.getUserPrincipal(), SaslDataTransferTestCase.getUserKeyTab());
  }

  /** Stops the KDC, and switches security off for the whole JVM. */
  public void stop() throws Exception {
    SaslDataTransferTestCase.shutdownKdc();
    Files.deleteIfExists(keystore);
    Files.deleteIfExists(sslFile);
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }
}
