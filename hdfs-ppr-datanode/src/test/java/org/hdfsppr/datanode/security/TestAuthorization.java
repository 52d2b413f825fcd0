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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockTokenSecretProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the rights of callers on the repair port of a cluster with block tokens. A stranger learns
 * that it has no right to ask, and nothing else: no byte, no name, not whether the block exists.
 */
class TestAuthorization {
  private static final PartialSumResponseProto REFUSED = PartialSumResponseProto.newBuilder()
      .setStatus(Status.ERROR_ACCESS_TOKEN_VALUE).build();

  @TempDir
  private static File directory;
  private static ServedFile file;

  private Requests requests;
  private RepairPort port;
  private long refusedBefore;
  private long readBefore;
  private long acceptedBefore;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    file = ServedFile.start(conf);
  }

  @AfterAll
  static void stop() {
    file.close();
  }

  @BeforeEach
  void look() throws IOException {
    requests = file.requests();
    port = requests.port(0);
    refusedBefore = port.rejected("AccessToken");
    readBefore = port.counter("HelperDiskReadBytes");
    acceptedBefore = port.counter("HelperRequestsAccepted");
  }

  @Test
  void aValidTokenGetsTheBytes() throws Exception {
    PartialSumRequest request = requests.single(0);
    try (WireClient client = WireClient.connect(port.port())) {
      file.assertServes(client, request, 0);
      assertEquals(0, client.bytesUntilClosed(10_000));
    }
    assertEquals(refusedBefore, port.rejected("AccessToken"));
  }

  @Test
  void noToken() throws Exception {
    assertRefused(new Token<>());
    assertRefused(BlockTokenSecretManager.DUMMY_TOKEN);
  }

  @Test
  void tokenOfAnotherBlock() throws Exception {
    assertRefused(requests.token(1, AccessMode.READ));
  }

  @Test
  void tokenToWrite() throws Exception {
    for (AccessMode mode : new AccessMode[] {AccessMode.WRITE, AccessMode.COPY,
        AccessMode.REPLACE}) {
      assertRefused(requests.token(0, mode));
    }
  }

  @Test
  void expiredToken() throws Exception {
    BlockTokenSecretManager secrets = port.datanode.getBlockPoolTokenSecretManager()
        .get(requests.block(0).getBlockPoolId());
    secrets.setTokenLifetime(1);
    Token<BlockTokenIdentifier> token;
    try {
      token = secrets.generateToken(requests.block(0), EnumSet.of(AccessMode.READ),
          StorageType.EMPTY_ARRAY, new String[0]);
    } finally {
      secrets.setTokenLifetime(TimeUnit.HOURS.toMillis(10));
    }
    long end = token.decodeIdentifier().getExpiryDate();
    RepairCluster.await("the end of the token's time", () -> System.currentTimeMillis() > end);
    assertRefused(token);
  }

  @Test
  void tokenWithAnotherPassword() throws Exception {
    Token<BlockTokenIdentifier> good = requests.token(0, AccessMode.READ);
    byte[] password = good.getPassword().clone();
    password[3] ^= 1;
    assertRefused(signed(good, password));
    assertRefused(signed(good, new byte[0]));
    assertRefused(signed(good, Arrays.copyOf(password, 10_000)));
  }

  @Test
  void tokenOfAnotherKey() throws Exception {
    BlockTokenSecretManager forger = new BlockTokenSecretManager(600_000, 600_000, 0, 1,
        requests.block(0).getBlockPoolId(), null, false);
    assertRefused(forger.generateToken(requests.block(0), EnumSet.of(AccessMode.READ),
        StorageType.EMPTY_ARRAY, new String[0]));
  }

  /** For some of these tokens, Hadoop's own check throws exceptions that it does not declare. */
  @Test
  void tokenOfGarbage() throws Exception {
    Token<BlockTokenIdentifier> good = requests.token(0, AccessMode.READ);
    assertRefused(identified(good, new byte[] {1, 2, 3}));
    assertRefused(identified(good, new byte[100_000]));
    assertRefused(identified(good, BlockTokenSecretProto.newBuilder()
        .setExpiryDate(Long.MAX_VALUE).build().toByteArray()));
    assertRefused(identified(good, legacy(-2)));
    BlockTokenIdentifier otherKey = good.decodeIdentifier();
    otherKey.setKeyId(otherKey.getKeyId() + 17);
    assertRefused(identified(good, otherKey.getBytes()));
  }

  /** For such a token, Hadoop's check allocates more than a JVM gives to one array. */
  @Test
  void tokenThatClaimsTooMuchMemory() throws Exception {
    Token<BlockTokenIdentifier> good = requests.token(0, AccessMode.READ);
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(requests.with(0, identified(good, legacy(Integer.MAX_VALUE))).single(0));
      assertEquals(0, client.bytesUntilClosed(10_000), "bytes of an answer");
    }
    requests.with(0, good);
    aValidTokenGetsTheBytes();
    RepairCluster.await("nothing is left of the request", () -> port.helpersInFlight() == 0);
  }

  /** The log says it once a minute, however often a caller tries. */
  @Test
  void aLogIsNotFilledByRefusals() throws Exception {
    try (SpokenLines lines = SpokenLines.of(TransferServer.class, DataNodeHost.class)) {
      for (int i = 0; i < 20; i++) {
        refusedBefore = port.rejected("AccessToken");
        assertRefused(new Token<>());
      }
      lines.assertAtMost(1, "token");
    }
  }

  /** A caller without rights must not learn whether a block exists. */
  @Test
  void strangersDoNotLearnWhatExists() throws Exception {
    Requests none = requests.ofNoBlock();
    Token<BlockTokenIdentifier> ofExisting = requests.token(0, AccessMode.READ);
    PartialSumRequest request = none.with(0, ofExisting).of(none.leaf(0, port.node()));
    assertRefused(request, 1);
  }

  @Test
  void everyUnitNeedsItsToken() throws Exception {
    try (FakePeer holder = FakePeer.start(socket -> { })) {
      // This DataNode would read unit 1 in its own name from a node without the extension.
      PlanNode both = requests.node(port.node(), Arrays.asList(requests.share(0, port.node()),
          requests.share(1, holder.asHolder("stock"))));
      requests.with(1, requests.token(0, AccessMode.READ));
      assertRefused(requests.of(both), 1);
      assertEquals(0, holder.connections(), "connections to the holder");
    }
  }

  @Test
  void aChildThatRefusesIsNamed() throws Exception {
    RepairPort child = requests.port(1);
    PlanNode tree = requests.node(port.node(),
        Collections.singletonList(requests.share(0, port.node())),
        requests.leaf(1, child.node()));
    requests.with(1, requests.token(0, AccessMode.READ));
    long childRefusedBefore = child.rejected("AccessToken");
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(requests.of(tree));
      PartialSumResponseProto answer = client.answer();
      assertEquals(Status.ERROR_VALUE, answer.getStatus());
      assertEquals(FailureCause.ACCESS_TOKEN.number, answer.getFailure().getCause());
      assertEquals(child.datanode.getDatanodeUuid(), answer.getFailure().getNode().getUuid());
      assertFalse(answer.hasChecksumType(), "the answer says nothing about the replica");
      assertEquals(0, client.bytesUntilClosed(10_000), "bytes after the answer");
    }
    assertEquals(refusedBefore, port.rejected("AccessToken"), "the parent's token was good");
    RepairCluster.await("the child counts",
        () -> child.rejected("AccessToken") == childRefusedBefore + 1);
    assertEquals(readBefore, port.counter("HelperDiskReadBytes"), "bytes that were read from disk");
  }

  @Test
  void aNodeWithoutAUnitOfItsOwnIsMalformed() throws Exception {
    long malformedBefore = port.rejected("Malformed");
    PlanNode onlyRemote = requests.node(port.node(),
        Collections.singletonList(requests.share(1, requests.port(1).node())));
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(requests.of(onlyRemote));
      assertEquals(0, client.bytesUntilClosed(10_000), "bytes of an answer");
    }
    RepairCluster.await(
        "the malformed request is "
        + "counted", () -> port.rejected("Malformed") == malformedBefore + 1);
    assertEquals(acceptedBefore, port.counter("HelperRequestsAccepted"), "requests accepted");
  }

  private void assertRefused(Token<BlockTokenIdentifier> token) throws IOException {
    assertRefused(requests.with(0, token).of(requests.leaf(0, port.node())), 1);
    // The answer must be the same for a block that does not exist, because a different answer would
    // show which blocks exist.
    Requests none = requests.ofNoBlock();
    assertRefused(none.with(0, token).of(none.leaf(0, port.node())), 2);
    refusedBefore += 2;
  }

  private void assertRefused(PartialSumRequest request, int times) throws IOException {
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(request);
      assertEquals(REFUSED, client.answer());
      assertEquals(0, client.bytesUntilClosed(10_000), "bytes after the refusal");
    }
    RepairCluster.await("the refusal is counted",
        () -> port.rejected("AccessToken") == refusedBefore + times);
    assertEquals(readBefore, port.counter("HelperDiskReadBytes"), "bytes that were read from disk");
    assertEquals(0, port.buffersInUse(), "buffers");
  }

  private static Token<BlockTokenIdentifier> signed(Token<BlockTokenIdentifier> token,
      byte[] password) {
    return new Token<>(token.getIdentifier(), password, token.getKind(), token.getService());
  }

  private static Token<BlockTokenIdentifier> identified(Token<BlockTokenIdentifier> token,
      byte[] identifier) {
    return new Token<>(identifier, token.getPassword(), token.getKind(), token.getService());
  }

  /**
   * Returns an identifier in the old format, whose header announces {@code storageTypes} storage
   * types.
   */
  private byte[] legacy(int storageTypes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WritableUtils.writeVLong(out, Long.MAX_VALUE);
    WritableUtils.writeVInt(out, 1);
    WritableUtils.writeString(out, "user");
    WritableUtils.writeString(out, requests.block(0).getBlockPoolId());
    WritableUtils.writeVLong(out, requests.block(0).getBlockId());
    WritableUtils.writeVInt(out, 1);
    WritableUtils.writeEnum(out, AccessMode.READ);
    WritableUtils.writeVInt(out, storageTypes);
    return bytes.toByteArray();
  }
}
