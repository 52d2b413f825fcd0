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
package org.hdfsppr.namenode.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.PprClientTranslator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of users with a ticket, with a delegation token of the NameNode, and with neither. */
@Timeout(180)
class TestConversionCallsUnderKerberos {
  @TempDir
  File directory;
  private Kerberos kerberos;
  private MiniDFSCluster cluster;
  private CallServer server;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestConversionCallsUnderKerberos.class);
    Configuration conf = new Configuration(kerberos.configuration("privacy"));
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
    Kerberos.logIn(conf);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.waitActive();
    server = new CallServer(cluster.getNameNode());
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(ScriptedEngine.FROM);
    fs.mkdirs(new Path("/data"));
    fs.setErasureCodingPolicy(new Path("/data"), ScriptedEngine.FROM);
    fs.setOwner(new Path("/data"), Kerberos.user().getShortUserName(), "users");
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (server != null) {
        server.close();
      }
      if (cluster != null) {
        cluster.shutdown();
      }
    } finally {
      kerberos.stop();
    }
  }

  private ConversionStatus submit(UserGroupInformation user, String id) throws Exception {
    ConversionRequest request = new ConversionRequest(id,
        ConversionOptions.of(ScriptedEngine.TO).with(o -> o.setFilesOnly(true)), List.of("/data"));
    try (PprClientTranslator client = server.client(user)) {
      while (true) {
        try {
          return client.submitConversion(request);
        } catch (RetriableException e) {
          // The jobs have not been read yet.
          Thread.sleep(50);
        }
      }
    }
  }

  @Test
  void ticketsAndTokensAreAccepted() throws Exception {
    UserGroupInformation user = Kerberos.user();
    assertEquals(user.getShortUserName(), submit(user, "ticket").user);
    Token<?> token = user.doAs((PrivilegedExceptionAction<Token<?>>) () ->
        FileSystem.newInstance(cluster.getConfiguration(0)).getDelegationToken("yarn"));
    UserGroupInformation bearer =
        UserGroupInformation.createRemoteUser(user.getUserName(), AuthMethod.TOKEN);
    bearer.addToken(new Token<>(token.getIdentifier(), token.getPassword(), token.getKind(),
        SecurityUtil.buildTokenService(server.address())));
    ConversionStatus job = submit(bearer, "token");
    assertEquals(user.getShortUserName(), job.user);
    try (PprClientTranslator client = server.client(bearer)) {
      assertEquals(2, client.conversions(null).size());
    }
  }

  @Test
  void strangersAndFalseTokensAreRefused() throws Exception {
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
    IOException e = assertThrows(IOException.class, () -> submit(nobody, "j"));
    assertTrue(e.toString().contains("Client cannot authenticate"), e.toString());
    Token<?> token = cluster.getFileSystem().getDelegationToken("yarn");
    UserGroupInformation liar = UserGroupInformation.createRemoteUser("liar", AuthMethod.TOKEN);
    byte[] password = token.getPassword().clone();
    password[0] ^= 1;
    liar.addToken(new Token<>(token.getIdentifier(), password, token.getKind(),
        SecurityUtil.buildTokenService(server.address())));
    assertThrows(IOException.class, () -> submit(liar, "j"));
  }
}
