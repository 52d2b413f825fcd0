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
package org.hdfsppr.operate;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.operate.proto.ClientProtos.CommitRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.FeaturesRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.FinalizeRecordsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.IsUpdatableRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.PendingUpdatesRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.ProtectDirectoryRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SetUpdatableRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SetUpdatableResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.SteerConversionRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.UnprotectDirectoryRequestProto;
import org.hdfsppr.rpc.ProxyMaker;
import org.hdfsppr.rpc.RpcCalls;

/** Calls a {@link PprClientProtocol} on a NameNode. Each call is tried once, with a time limit. */
@InterfaceAudience.Private
public final class PprClientTranslator implements PprClientProtocol, Closeable {
  private final PprClientProtocolPB proxy;

  PprClientTranslator(PprClientProtocolPB proxy) {
    this.proxy = proxy;
  }

  /**
   * Makes a client. The client connects when its first call is made.
   *
   * @param address address of the plugin
   * @param user the user that makes the calls
   * @param timeoutMs milliseconds to wait for a connection, and again for an answer
   * @param configuration the configuration; copied
   * @return the client
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public static PprClientTranslator of(InetSocketAddress address, UserGroupInformation user,
      Configuration configuration, int timeoutMs) throws IOException {
    return of(address, user, proxies(configuration, timeoutMs));
  }

  /**
   * Makes an object that a caller keeps if it will make many clients; they then share the RPC
   * configuration.
   *
   * @param timeoutMs milliseconds to wait for a connection, and again for an answer
   * @param configuration the configuration; copied
   * @return the object that makes the proxies of the clients
   */
  public static ProxyMaker<PprClientProtocolPB> proxies(Configuration configuration,
      int timeoutMs) {
    return ProxyMaker.of(PprClientProtocolPB.class, configuration, timeoutMs);
  }

  /**
   * Makes a client. The client connects when its first call is made.
   *
   * @param address address of the plugin
   * @param user the user that makes the calls
   * @param proxies {@link #proxies}
   * @return the client
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public static PprClientTranslator of(InetSocketAddress address, UserGroupInformation user,
      ProxyMaker<PprClientProtocolPB> proxies) throws IOException {
    return new PprClientTranslator(proxies.proxy(address, user));
  }

  @Override
  public ConversionStatus submitConversion(ConversionRequest request) throws IOException {
    return ConversionStatus.parse(RpcCalls.ask(() ->
        proxy.submitConversion(null, request.toProto())).getJob());
  }

  @Override
  public List<ConversionStatus> conversions(String jobId) throws IOException {
    ConversionsRequestProto.Builder request = ConversionsRequestProto.newBuilder();
    if (jobId != null) {
      request.setJobId(jobId);
    }
    List<ConversionStatus> jobs = new ArrayList<>();
    for (ConversionStatusProto job
        : RpcCalls.ask(() -> proxy.conversions(null, request.build())).getJobsList()) {
      jobs.add(ConversionStatus.parse(job));
    }
    return jobs;
  }

  @Override
  public ConversionStatus steerConversion(String jobId, ConversionAction action)
      throws IOException {
    SteerConversionRequestProto request = SteerConversionRequestProto.newBuilder()
        .setJobId(jobId).setAction(action.number).build();
    return ConversionStatus.parse(
        RpcCalls.ask(() -> proxy.steerConversion(null, request)).getJob());
  }

  @Override
  public CoreDirectory protectDirectory(String path, boolean isRecursive, OptionalInt files)
      throws IOException {
    ProtectDirectoryRequestProto request = protection(path, isRecursive, files);
    return CoreDirectory.parse(
        RpcCalls.ask(() -> proxy.protectDirectory(null, request)).getDirectory());
  }

  private static ProtectDirectoryRequestProto protection(String path, boolean isRecursive,
      OptionalInt files) {
    ProtectDirectoryRequestProto.Builder request =
        ProtectDirectoryRequestProto.newBuilder().setPath(path).setRecursive(isRecursive);
    files.ifPresent(request::setFilesPerGroup);
    return request.build();
  }

  @Override
  public CoreDirectory unprotectDirectory(String path) throws IOException {
    UnprotectDirectoryRequestProto request =
        UnprotectDirectoryRequestProto.newBuilder().setPath(path).build();
    return CoreDirectory.parse(
        RpcCalls.ask(() -> proxy.unprotectDirectory(null, request)).getDirectory());
  }

  @Override
  public CoreStatus coreStatus(String path) throws IOException {
    CoreStatusRequestProto.Builder request = CoreStatusRequestProto.newBuilder();
    if (path != null) {
      request.setPath(path);
    }
    return CoreStatus.parse(
        RpcCalls.ask(() -> proxy.coreStatus(null, request.build())).getStatus());
  }

  @Override
  public SubmissionTerms beginSubmission(String path, boolean isRecursive, OptionalInt files)
      throws IOException {
    ProtectDirectoryRequestProto request = protection(path, isRecursive, files);
    return SubmissionTerms.parse(
        RpcCalls.ask(() -> proxy.beginSubmission(null, request)).getTerms());
  }

  @Override
  public List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException {
    return GroupAnswer.parse(
        RpcCalls.ask(() -> proxy.submitGroups(null, submission.toProto())),
        submission.groups.size());
  }

  @Override
  public SpreadAnswer planSpread(String path, SpreadPlace from) throws IOException {
    PlanSpreadRequestProto.Builder request = PlanSpreadRequestProto.newBuilder()
        .setCoreGroup(from.coreGroup).setIndex(from.index);
    if (path != null) {
      request.setPath(path);
    }
    return SpreadAnswer.parse(RpcCalls.ask(() -> proxy.planSpread(null, request.build())), from);
  }

  @Override
  public boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
      throws IOException {
    SetUpdatableRequestProto.Builder request = SetUpdatableRequestProto.newBuilder()
        .setPath(directory).setUpdatable(isUpdatable);
    if (strategy != null) {
      request.setStrategy(strategy);
    }
    SetUpdatableResponseProto answer =
        RpcCalls.ask(() -> proxy.setUpdatable(null, request.build()));
    if (strategy != null && !answer.getStrategy().equals(strategy)) {
      throw new UpdateRefusedException("The NameNode's hdfs-ppr is older and knows no strategies of"
          + " commits; " + directory + " has the only one that it knows");
    }
    return answer.getChanged();
  }

  @Override
  public boolean isUpdatable(String file) throws IOException {
    IsUpdatableRequestProto request =
        IsUpdatableRequestProto.newBuilder().setPath(file).build();
    return RpcCalls.ask(() -> proxy.isUpdatable(null, request)).getUpdatable();
  }

  @Override
  public List<UnitGrant> tickets(TicketRequest request) throws IOException {
    return UnitGrant.parse(RpcCalls.ask(() -> proxy.groupTickets(null, request.toProto())));
  }

  @Override
  public CommitStatus commit(String path, String id) throws IOException {
    CommitRequestProto.Builder request = CommitRequestProto.newBuilder().setPath(path);
    if (id != null) {
      request.setId(id);
    }
    return CommitStatus.parse(RpcCalls.ask(() -> proxy.commit(null, request.build())));
  }

  @Override
  public WaitingUpdates pendingUpdates(String path) throws IOException {
    PendingUpdatesRequestProto request =
        PendingUpdatesRequestProto.newBuilder().setPath(path).build();
    return WaitingUpdates.parse(RpcCalls.ask(() -> proxy.pendingUpdates(null, request)));
  }

  @Override
  public Set<String> features() throws IOException {
    return new HashSet<>(RpcCalls.ask(() ->
        proxy.features(null, FeaturesRequestProto.getDefaultInstance())).getFeatureList());
  }

  @Override
  public Leftovers leftovers(boolean isCleared) throws IOException {
    LeftoversRequestProto request =
        LeftoversRequestProto.newBuilder().setClear(isCleared).build();
    return Leftovers.parse(RpcCalls.ask(() -> proxy.leftovers(null, request)));
  }

  @Override
  public FinalizedRecords finalizeRecords(boolean isFinalized) throws IOException {
    FinalizeRecordsRequestProto request =
        FinalizeRecordsRequestProto.newBuilder().setFinalize(isFinalized).build();
    return FinalizedRecords.parse(RpcCalls.ask(() -> proxy.finalizeRecords(null, request)));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
