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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.CommitStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A block device that a user with a keytab serves, on a cluster with Kerberos, block tokens, and
 * privacy on all wires.
 */
@Timeout(300)
class TestBlockDeviceUnderKerberos {
  private static final int JAVA_WITH_SOCKETS = 16;
  private static final String LOOPBACK = "127.0.0.1:0";
  private static final int BYTES = 2 * UpdateCluster.GROUP + 12_345;
  private static final int EPERM = 1;
  /** Longer than a client keeps an idle connection, so that each token is shown in a handshake. */
  private static final long SHORT_LIFETIME_MS = 4_000;
  private static final long LIFETIME_MS = TimeUnit.HOURS.toMillis(10);

  @TempDir
  static Path directory;
  private static Kerberos kerberos;
  private static UpdateCluster cluster;
  private static UserGroupInformation user;

  @BeforeAll
  static void start() throws Exception {
    kerberos = Kerberos.start(TestBlockDeviceUnderKerberos.class);
    cluster = UpdateCluster.withPrivacy(kerberos, directory.resolve("cluster"),
        PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0");
    user = Kerberos.user();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  /** Runs the command as the user. */
  private static NbdRun run(String... args) throws Exception {
    Configuration conf = cluster.clientConf();
    FileSystem.setDefaultUri(conf, cluster.hdfs().fs.getUri());
    return user.doAs((PrivilegedExceptionAction<NbdRun>) () -> new NbdRun(conf, args));
  }

  private static byte[] write(String name, long seed) throws IOException {
    return cluster.write(UpdateCluster.path(name), BYTES, UpdateCluster.K, 2, seed);
  }

  /** Writes a file that only the user may read and write, but for superusers. */
  private static byte[] writeOwn(String name, long seed) throws IOException {
    byte[] content = write(name, seed);
    cluster.hdfs().fs.setOwner(UpdateCluster.path(name), user.getShortUserName(), null);
    setMode(name, 0600);
    return content;
  }

  private static void setMode(String name, int mode) throws IOException {
    cluster.hdfs().fs.setPermission(UpdateCluster.path(name), new FsPermission((short) mode));
  }

  private static void assertHas(String name, byte[] content) throws IOException {
    byte[] read = new byte[content.length];
    try (PprFileSystem fs = cluster.client();
        FSDataInputStream in = fs.open(UpdateCluster.path(name))) {
      in.readFully(0, read);
    }
    assertArrayEquals(content, read);
  }

  private static void update(NbdClient client, byte[] content, int flags, int offset, byte... data)
      throws IOException {
    client.write(flags, offset, data);
    System.arraycopy(data, 0, content, offset, data.length);
    assertArrayEquals(data, client.read(offset, data.length));
  }

  private static boolean isCommitted(String name) {
    try {
      return cluster.commit(UpdateCluster.path(name)).state == CommitStatus.State.PUBLISHED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aUserWritesThroughAUnixSocket() throws Exception {
    assumeTrue(Runtime.version().feature() >= JAVA_WITH_SOCKETS, "SKIPPED: this is Java "
        + Runtime.version() + ", which has no UNIX sockets");
    long seed = Long.getLong("seed", 42);
    System.out.println("TestBlockDeviceUnderKerberos: -Dseed=" + seed);
    Random random = new Random(seed);
    byte[] expected = writeOwn("device", seed);
    Path socket = directory.resolve("device.sock");
    try (NbdRun run = run("--unix", socket.toString(), "/images/device")) {
      assertEquals("nbd+unix:///?socket=" + socket, run.uri());
      try (NbdClient client = NbdClient.openUnix(socket)) {
        assertArrayEquals(expected, client.read(0, BYTES));
        for (int version = 0; version < 2; version++) {
          for (int i = 0; i < 10; i++) {
            byte[] data = new byte[1 + random.nextInt(40_000)];
            random.nextBytes(data);
            update(client, expected, i % 3 == 0 ? NbdClient.FUA : 0,
                random.nextInt(BYTES - data.length), data);
          }
          client.flush();
          if (version == 0) {
            RepairCluster.await("the updates are committed", () -> isCommitted("device"));
            assertTrue(cluster.hdfs().hasContent(UpdateCluster.path("device"), expected));
          }
          assertArrayEquals(expected, client.read(0, BYTES));
        }
      }
      assertEquals(0, run.end(), run::toString);
    }
    assertHas("device", expected);
  }

  @Test
  void aUserWithoutTheRightChangesNothing() throws Exception {
    byte[] expected = write("others", 2);
    setMode("others", 0644);
    assertRefused("access=WRITE", "/images/others");
    try (NbdRun run = run("--listen", LOOPBACK, "--read-only", "/images/others");
        NbdClient client = NbdClient.open(run.port())) {
      assertArrayEquals(expected, client.read(0, BYTES));
      assertEquals(EPERM, client.call(0, NbdClient.WRITE, 0, 1, (byte) 1).error);
      assertEquals(EPERM, client.call(0, NbdClient.TRIM, 0, 1000).error);
      assertArrayEquals(expected, client.read(0, BYTES));
      assertEquals(0, run.end(), run::toString);
    }
    setMode("others", 0600);
    assertRefused("access=", "--read-only", "/images/others");
    assertHas("others", expected);
  }

  private static void assertRefused(String access, String... args) throws Exception {
    String[] all = Arrays.copyOf(new String[] {"--listen", LOOPBACK}, 2 + args.length);
    System.arraycopy(args, 0, all, 2, args.length);
    try (NbdRun run = run(all)) {
      assertEquals(1, run.code(), run::toString);
      assertTrue(run.err().contains("Permission denied: user=" + user.getShortUserName() + ", "
          + access), run::toString);
      assertFalse(run.err().contains("\tat ") || run.err().contains("Exception"), run::toString);
    }
  }

  /** With SASL, tokens that have expired end handshakes. That is no failure of a node. */
  @Test
  void aDeviceGoesOnWhenItsTokensExpire() throws Exception {
    byte[] expected = writeOwn("expiring", 3);
    BlockTokenSecretManager keys = cluster.hdfs().mini().getNamesystem().getBlockManager()
        .getBlockTokenSecretManager();
    keys.setTokenLifetime(SHORT_LIFETIME_MS);
    try (LoggedLines terms = new LoggedLines("org.hdfsppr.namenode.update.TicketRound",
        "/images/expiring: group 0 has ");
        NbdRun run = run("--listen", LOOPBACK, "/images/expiring");
        NbdClient client = NbdClient.open(run.port())) {
      update(client, expected, NbdClient.FUA, 100, (byte) 1, (byte) 2);
      // After a flush the server does nothing unasked.
      client.flush();
      keys.setTokenLifetime(LIFETIME_MS);
      long expiry = System.currentTimeMillis() + SHORT_LIFETIME_MS;
      int begun = terms.count();
      assertTrue(begun > 0);
      RepairCluster.await("the tokens of the device expire",
          () -> System.currentTimeMillis() > expiry);
      update(client, expected, 0, 101, (byte) 3, (byte) 4);
      client.flush();
      assertArrayEquals(expected, client.read(0, BYTES));
      assertEquals(begun, terms.count(), "a new ticket of the same term is enough");
      assertEquals(0, run.end(), run::toString);
    } finally {
      keys.setTokenLifetime(LIFETIME_MS);
    }
    assertHas("expiring", expected);
  }
}
