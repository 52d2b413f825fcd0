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
package org.hdfsppr.namenode.finalize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.FinalizedMark;
import org.hdfsppr.namenode.record.RecordStore.Change;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.FinalizedRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a pair of NameNodes before and after an operator has finalized them. */
class TestFinalizedRecords {
  private static final Path TOP = new Path("/.hdfs-ppr");
  private static final Path PLACE = new Path("/.hdfs-ppr/updates/u");
  private static final String NAME = SealedKind.COMMITS.attribute;
  private static final String MARK = "trusted." + SealedKind.FINALIZED.attribute;
  private static final byte[] ONE = {1, 1};
  private static final byte[] TWO = {1, 2};
  private static final byte[] THREE = {1, 3};
  private static final long NOW_MS = 1_767_225_600_000L;

  @TempDir
  File directory;
  private final RpcCaller users = mock(RpcCaller.class);
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private List<String> lacking = List.of();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getAbsolutePath());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0)
        .nnTopology(MiniDFSNNTopology.simpleHATopology()).build();
    cluster.transitionToActive(0);
    fs = HATestUtil.configureFailoverFs(cluster, conf);
    when(users.isSuperuser()).thenReturn(true);
    when(users.name()).thenReturn("bob");
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private RecordAccess records(int namenode) {
    return new RecordAccess(cluster.getNamesystem(namenode), cluster.getConfiguration(namenode));
  }

  private FinalizedRecords finalizeRecords(int namenode, boolean isGo) throws IOException {
    return new FinalizeRpcHandler(users, () -> cluster.getNameNodeRpc(namenode),
        records(namenode), () -> lacking, () -> NOW_MS).finalizeRecords(isGo);
  }

  private boolean change(int namenode, byte[] before, byte[] after) throws IOException {
    return records(namenode).change(List.of(new Change(PLACE.toString(), NAME, before, after)));
  }

  private byte[] stored() throws IOException {
    return fs.getXAttr(PLACE, "trusted." + NAME);
  }

  private static byte[] sealed(byte[] content) {
    return SealedRecord.seal(SealedKind.COMMITS, content);
  }

  @Test
  void recordsAreSealedFromThenOnWhicheverNameNodeIsActive() throws Exception {
    fs.mkdirs(PLACE);
    assertTrue(change(0, null, ONE));
    assertArrayEquals(ONE, stored(), "as 0.2.0 writes it");
    FinalizedRecords before = finalizeRecords(0, false);
    assertFalse(before.areFinalized());
    assertEquals("", before.obstacle);
    assertTrue(change(0, ONE, TWO));
    assertArrayEquals(TWO, stored(), "a look has changed nothing");

    FinalizedRecords now = finalizeRecords(0, true);
    assertTrue(now.isChanged);
    assertEquals(NOW_MS, now.sinceMs);
    verify(users).audit(true, "pprFinalize go", "");
    assertArrayEquals(SealedRecord.seal(SealedKind.FINALIZED, FinalizedMark.of(NOW_MS)),
        fs.getXAttr(TOP, MARK));
    assertArrayEquals(TWO, stored(), "what was written before stays until it changes");
    long inodeId = fs.getClient().getFileInfo(PLACE.toString()).getFileId();
    assertArrayEquals(TWO, records(0).attribute(inodeId, NAME).orElseThrow());
    assertFalse(change(0, ONE, THREE));
    assertTrue(change(0, TWO, THREE));
    assertArrayEquals(sealed(THREE), stored());
    assertArrayEquals(THREE, records(0).attribute(inodeId, NAME).orElseThrow());

    cluster.transitionToStandby(0);
    cluster.transitionToActive(1);
    FinalizedRecords again = finalizeRecords(1, true);
    assertFalse(again.isChanged);
    assertEquals(NOW_MS, again.sinceMs);
    assertFalse(change(1, TWO, ONE));
    assertTrue(change(1, THREE, ONE), "a caller may have read the record");
    assertTrue(change(1, sealed(ONE), TWO), "or the bytes");
    assertArrayEquals(sealed(TWO), stored());
    cluster.restartNameNode(1);
    cluster.transitionToActive(1);
    assertTrue(finalizeRecords(1, false).areFinalized());
    assertTrue(change(1, TWO, null));
    assertTrue(fs.getXAttrs(PLACE).isEmpty());
    assertTrue(change(1, null, ONE));
    assertArrayEquals(sealed(ONE), stored());
  }

  @Test
  void attributesThatAreNoSealedRecordsStayAsTheyAre() throws Exception {
    fs.mkdirs(PLACE);
    assertTrue(finalizeRecords(0, true).isChanged);
    assertTrue(records(0).change(List.of(
        new Change(PLACE.toString(), "hdfs-ppr.updatable", null, ONE),
        new Change(PLACE.toString(), "hdfs-ppr.core", null, TWO))));
    assertArrayEquals(ONE, fs.getXAttr(PLACE, "trusted.hdfs-ppr.updatable"));
    assertArrayEquals(TWO, fs.getXAttr(PLACE, "trusted.hdfs-ppr.core"));
  }

  /** 0.2.0 takes longer records for corrupt, and has operators delete the parity file. */
  @Test
  void noSealedRecordIsLongerThan020Takes() throws Exception {
    fs.mkdirs(PLACE);
    assertTrue(finalizeRecords(0, true).isChanged);
    byte[] longest = new byte[SealedRecord.BYTES_MAX
        - SealedRecord.seal(SealedKind.CORE_GROUP, new byte[0]).length];
    byte[] longer = new byte[longest.length + 1];
    String name = SealedKind.CORE_GROUP.attribute;
    assertTrue(records(0).change(List.of(new Change(PLACE.toString(), name, null, longest))));
    assertArrayEquals(SealedRecord.seal(SealedKind.CORE_GROUP, longest),
        fs.getXAttr(PLACE, "trusted." + name));
    assertTrue(records(0).change(List.of(new Change(PLACE.toString(), name, longest, longer))));
    assertArrayEquals(longer, fs.getXAttr(PLACE, "trusted." + name));
  }

  @Test
  void aValueThatIsNoMarkSealsNothing() throws Exception {
    fs.mkdirs(PLACE);
    fs.setXAttr(TOP, MARK, ONE);
    assertThrows(BadRecordException.class, () -> change(0, null, ONE));
    assertThrows(BadRecordException.class, () -> finalizeRecords(0, false));
    fs.removeXAttr(TOP, MARK);
    assertTrue(change(0, null, ONE));
    assertArrayEquals(ONE, stored());
  }

  @Test
  void itIsRefusedUnlessAllNameNodesReadSealedRecords() throws Exception {
    assertTrue(finalizeRecords(0, false).obstacle.startsWith("there is no /.hdfs-ppr"));
    assertThrows(ConversionRefusedException.class, () -> finalizeRecords(0, true));
    fs.mkdirs(PLACE);
    lacking = List.of("nn2 (older, or without the jar of files)");
    ConversionRefusedException e = assertThrows(ConversionRefusedException.class,
        () -> finalizeRecords(0, true));
    assertTrue(e.getMessage().contains("sealed records: nn2 (older"), e.getMessage());
    assertTrue(finalizeRecords(0, false).obstacle.contains("nn2 (older"));
    assertTrue(fs.getXAttrs(TOP).isEmpty());
    lacking = List.of();
    when(users.isSuperuser()).thenReturn(false);
    assertThrows(AccessControlException.class, () -> finalizeRecords(0, true));
    verify(users).audit(false, "pprFinalize go", "");
    assertTrue(fs.getXAttrs(TOP).isEmpty());
    doThrow(new StandbyException("standby")).when(users).checkActive();
    assertThrows(StandbyException.class, () -> finalizeRecords(0, true));
    verify(users, never()).audit(eq(true), any(), any());
    assertTrue(change(0, null, ONE));
    assertArrayEquals(ONE, stored());
  }

  /** A later version may seal records in a form that this one does not know. */
  @Test
  void underAMarkThatCannotBeReadNothingIsWritten() throws Exception {
    fs.mkdirs(PLACE);
    assertTrue(change(0, null, ONE));
    byte[] mark = SealedRecord.seal(SealedKind.FINALIZED, FinalizedMark.of(NOW_MS));
    mark[mark.length - 1]++;
    fs.setXAttr(TOP, MARK, mark);
    BadRecordException e =
        assertThrows(BadRecordException.class, () -> change(0, ONE, TWO));
    assertEquals(BadRecordException.Why.CORRUPT, e.why);
    assertTrue(e.getMessage().contains("/.hdfs-ppr: the sealed record " + MARK),
        e.getMessage());
    assertThrows(BadRecordException.class, () -> finalizeRecords(0, true));
    assertArrayEquals(ONE, stored());
  }

  @Test
  void aCorruptRecordIsNamedAndCanBeReplaced() throws Exception {
    fs.mkdirs(PLACE);
    assertTrue(finalizeRecords(0, true).isChanged);
    byte[] corrupt = sealed(ONE);
    corrupt[corrupt.length - 5] ^= 1;
    fs.setXAttr(PLACE, "trusted." + NAME, corrupt);
    long inodeId = fs.getClient().getFileInfo(PLACE.toString()).getFileId();
    BadRecordException e = assertThrows(BadRecordException.class,
        () -> records(0).attribute(inodeId, NAME));
    assertEquals(BadRecordException.Why.CORRUPT, e.why);
    assertTrue(e.getMessage().startsWith(PLACE + ": the sealed record trusted.hdfs-ppr.commits"
        + " cannot be read: its checksum does not fit"), e.getMessage());
    assertThrows(BadRecordException.class, () -> change(0, ONE, TWO));
    assertFalse(change(0, null, TWO));
    assertArrayEquals(corrupt, stored());
    assertTrue(change(0, corrupt, TWO));
    assertArrayEquals(sealed(TWO), stored());
  }
}
