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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.record.FinalizedMark;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.version.VersionNamespace;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.FeatureProtocol;
import org.hdfsppr.operate.FinalizeProtocol;
import org.hdfsppr.operate.FinalizedRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers superusers that finalize records: from then on, NameNodes write them sealed, and hdfs-ppr
 * 0.2.0 cannot read them. An attribute of {@code /.hdfs-ppr} says that records are finalized. Each
 * NameNode looks it up whenever it writes a record. Thread-safe.
 */
@InterfaceAudience.Private
public final class FinalizeRpcHandler implements FinalizeProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(FinalizeRpcHandler.class);

  private final RpcCaller users;
  private final Supplier<? extends ClientProtocol> namenode;
  private final RecordStore records;
  private final Supplier<List<String>> lacking;
  private final LongSupplier wallClockMs;

  /**
   * @param users checks the rights of the caller of the present RPC
   * @param namenode returns the NameNode's client methods; null until the NameNode can serve them
   * @param records reads and writes that attribute
   * @param lacking asks the other NameNodes of the nameservice, and returns those that are not
   *     known to have {@link FeatureProtocol#SEALED_RECORDS}, each with the reason
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  public FinalizeRpcHandler(RpcCaller users, Supplier<? extends ClientProtocol> namenode,
      RecordStore records, Supplier<List<String>> lacking, LongSupplier wallClockMs) {
    this.users = users;
    this.namenode = namenode;
    this.records = records;
    this.lacking = lacking;
    this.wallClockMs = wallClockMs;
  }

  @Override
  public FinalizedRecords finalizeRecords(boolean isFinalized) throws IOException {
    users.checkActive();
    String operation = "pprFinalize" + (isFinalized ? " go" : "");
    RpcCaller.requireSuperuser(users, operation, "finalize the records of hdfs-ppr");
    ClientProtocol protocol = namenode.get();
    if (protocol == null) {
      throw new RetriableException("This NameNode does not serve calls yet; try again");
    }
    HdfsFileStatus top = protocol.getFileInfo(VersionNamespace.ROOT);
    Optional<byte[]> mark = top == null ? Optional.empty()
        : records.attribute(top.getFileId(), SealedKind.FINALIZED.attribute);
    if (mark.isPresent()) {
      return new FinalizedRecords(FinalizedMark.parse(mark.get()), false, "");
    }
    Optional<String> obstacle = obstacle(top);
    if (!isFinalized) {
      return new FinalizedRecords(FinalizedRecords.NEVER, false, obstacle.orElse(""));
    }
    if (obstacle.isPresent()) {
      throw new ConversionRefusedException("Records are not finalized: " + obstacle.get());
    }
    long sinceMs = wallClockMs.getAsLong();
    if (!records.change(List.of(new RecordStore.Change(top.getFileId(),
        SealedKind.FINALIZED.attribute, null, FinalizedMark.of(sinceMs))))) {
      throw new RetriableException("Another call has finalized records just now");
    }
    users.audit(true, operation, "");
    LOG.info("Records in the namespace are finalized: those that are written from now on are"
        + " sealed, and hdfs-ppr 0.2.0 refuses them");
    return new FinalizedRecords(sinceMs, true, "");
  }

  /** Returns why records cannot be finalized now; empty if they can be. */
  private Optional<String> obstacle(HdfsFileStatus top) {
    if (top == null) {
      return Optional.of("there is no " + VersionNamespace.ROOT + ", because hdfs-ppr keeps no"
          + " records here yet; finalize them when there are some");
    }
    List<String> names = lacking.get();
    return names.isEmpty() ? Optional.empty()
        : Optional.of("hdfs-ppr on these NameNodes of the nameservice is not known to read sealed"
            + " records: " + String.join(", ", names) + "; upgrade it there with the jar of"
            + " files, start these NameNodes, see that they answer at port 9878 and let the user of"
            + " the NameNodes in (security.ppr.client.protocol.acl), and try again");
  }
}
