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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.PprClientTranslator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's conversion on a cluster with Kerberos, block tokens, and privacy on all wires: from the
 * user's call to the bytes on the disks of the DataNodes.
 */
@Timeout(300)
class TestVersionsUnderKerberos {
  private static final long SEED = 20261125;
  private static final int CALL_TIMEOUT_MS = 30_000;
  private static final int BYTES = 6 * (int) VersionCluster.BLOCK + 70_000;

  @TempDir
  File directory;
  private Kerberos kerberos;
  private VersionCluster cluster;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestVersionsUnderKerberos.class);
    Configuration conf =
        VersionCluster.configure(new Configuration(kerberos.configuration("privacy")), directory);
    conf.set(CommonConfigurationKeys.HADOOP_RPC_PROTECTION, "privacy");
    // The tickets are those of localhost.
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "localhost:" + FreePort.choose());
    Kerberos.logIn(conf);
    cluster = VersionCluster.of(new MiniDFSCluster.Builder(conf)
        .numDataNodes(VersionCluster.NODES).build());
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  private ConversionStatus convert(UserGroupInformation user, String id, String policy)
      throws Exception {
    Configuration conf = cluster.mini().getConfiguration(0);
    InetSocketAddress address =
        NetUtils.createSocketAddr(conf.get(PprKeys.NAMENODE_RPC_ADDRESS_KEY));
    ConversionRequest request = new ConversionRequest(id, ConversionOptions.of(policy).with(o -> o
        .setIdleMs(0).setGraceMs(0).setFullCheck(true)), List.of("/ec/mine"));
    try (PprClientTranslator client =
        PprClientTranslator.of(address, user, conf, CALL_TIMEOUT_MS)) {
      ConversionStatus job = null;
      while (job == null || job.state != ConversionState.DONE
          && job.state != ConversionState.FAILED) {
        try {
          job = job == null ? client.submitConversion(request) : client.conversions(id).get(0);
        } catch (RetriableException e) {
          // The jobs have not been read yet.
          assertTrue(job == null, e.toString());
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
      return job;
    }
  }

  @Test
  void aUsersFilesAreConverted() throws Exception {
    UserGroupInformation user = Kerberos.user();
    Path folder = new Path("/ec/mine");
    cluster.fs().mkdirs(folder);
    byte[] data = cluster.write("/ec/mine/f", BYTES, SEED);
    for (String path : new String[] {"/ec/mine", "/ec/mine/f"}) {
      cluster.fs().setOwner(new Path(path), user.getShortUserName(), "users");
    }
    // Without it, the user could not be in the way of the folder.
    cluster.engine();
    int number = 0;
    for (String policy : new String[] {VersionCluster.LRC, VersionCluster.NONXOR,
        VersionCluster.RS}) {
      ConversionStatus job = convert(user, "job" + number++, policy);
      assertEquals(ConversionState.DONE, job.state, () -> job + " " + job.failures);
      assertEquals(policy, cluster.policyOf("/ec/mine/f"), () -> job + " " + job.failures);
      assertEquals(policy, cluster.policyOf("/ec/mine"));
      assertEquals(user.getShortUserName(), job.user);
      assertEquals(user.getShortUserName(),
          cluster.fs().getFileStatus(new Path("/ec/mine/f")).getOwner());
      cluster.assertContent("/ec/mine/f", data);
      cluster.awaitNothingLeft();
    }
    // Another user's file is not converted.
    cluster.write("/ec/other", BYTES, SEED);
    cluster.fs().rename(new Path("/ec/other"), new Path("/ec/mine/other"));
    ConversionStatus job = convert(user, "others", VersionCluster.LRC);
    assertEquals(VersionCluster.LRC, cluster.policyOf("/ec/mine/f"), job::toString);
    assertEquals(VersionCluster.RS, cluster.policyOf("/ec/mine/other"), job::toString);
  }
}
