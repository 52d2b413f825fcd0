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

import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.operate.proto.ClientProtos.BeginSubmissionResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.CommitRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.CommitStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.ConversionsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreDirectoryResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.FeaturesRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.FeaturesResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.FinalizeRecordsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.FinalizeRecordsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.IsUpdatableRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.IsUpdatableResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.PendingUpdatesProto;
import org.hdfsppr.operate.proto.ClientProtos.PendingUpdatesRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.PlanSpreadResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.ProtectDirectoryRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SetUpdatableRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SetUpdatableResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.SteerConversionRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SteerConversionResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsRequestProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsResponseProto;
import org.hdfsppr.operate.proto.ClientProtos.UnprotectDirectoryRequestProto;
import org.hdfsppr.rpc.RpcCalls;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.WireRules;

/** Decodes incoming calls, passes them to a {@link PprClientProtocol}, and encodes the answers. */
@InterfaceAudience.Private
public final class PprClientServerTranslator implements PprClientProtocolPB {
  private final PprClientProtocol plugin;

  /** @param plugin answers the calls */
  public PprClientServerTranslator(PprClientProtocol plugin) {
    this.plugin = plugin;
  }

  @Override
  public SubmitConversionResponseProto submitConversion(RpcController controller,
      SubmitConversionRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> SubmitConversionResponseProto.newBuilder()
        .setJob(plugin.submitConversion(ConversionRequest.parse(request)).toProto()).build());
  }

  @Override
  public ConversionsResponseProto conversions(RpcController controller,
      ConversionsRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> {
      ConversionsResponseProto.Builder answer = ConversionsResponseProto.newBuilder();
      for (ConversionStatus job
          : plugin.conversions(request.hasJobId() ? id(request.getJobId()) : null)) {
        answer.addJobs(job.toProto());
      }
      return answer.build();
    });
  }

  @Override
  public SteerConversionResponseProto steerConversion(RpcController controller,
      SteerConversionRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> SteerConversionResponseProto.newBuilder()
        .setJob(plugin.steerConversion(id(request.getJobId()), action(request.getAction()))
            .toProto()).build());
  }

  @Override
  public CoreDirectoryResponseProto protectDirectory(RpcController controller,
      ProtectDirectoryRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> answer(plugin.protectDirectory(path(request.getPath()),
        request.getRecursive(), files(request))));
  }

  @Override
  public CoreDirectoryResponseProto unprotectDirectory(RpcController controller,
      UnprotectDirectoryRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> answer(plugin.unprotectDirectory(path(request.getPath()))));
  }

  @Override
  public CoreStatusResponseProto coreStatus(RpcController controller,
      CoreStatusRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> CoreStatusResponseProto.newBuilder()
        .setStatus(plugin.coreStatus(request.hasPath() ? path(request.getPath()) : null)
            .toProto()).build());
  }

  @Override
  public BeginSubmissionResponseProto beginSubmission(RpcController controller,
      ProtectDirectoryRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> BeginSubmissionResponseProto.newBuilder()
        .setTerms(plugin.beginSubmission(path(request.getPath()), request.getRecursive(),
            files(request)).toProto()).build());
  }

  @Override
  public SubmitGroupsResponseProto submitGroups(RpcController controller,
      SubmitGroupsRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> {
      path(request.getPath());
      return GroupAnswer.toProto(plugin.submitGroups(GroupSubmission.parse(request)));
    });
  }

  @Override
  public PlanSpreadResponseProto planSpread(RpcController controller,
      PlanSpreadRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> plugin.planSpread(
        request.hasPath() ? path(request.getPath()) : null,
        SpreadPlace.parse(request.getCoreGroup(), request.getIndex())).toProto());
  }

  @Override
  public SetUpdatableResponseProto setUpdatable(RpcController controller,
      SetUpdatableRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> {
      String strategy =
          request.hasStrategy() ? WireRules.text("strategy", request.getStrategy()) : null;
      SetUpdatableResponseProto.Builder answer = SetUpdatableResponseProto.newBuilder().setChanged(
          plugin.setUpdatable(path(request.getPath()), request.getUpdatable(), strategy));
      if (strategy != null) {
        answer.setStrategy(strategy);
      }
      return answer.build();
    });
  }

  @Override
  public IsUpdatableResponseProto isUpdatable(RpcController controller,
      IsUpdatableRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> IsUpdatableResponseProto.newBuilder().setUpdatable(
        plugin.isUpdatable(path(request.getPath()))).build());
  }

  @Override
  public GroupTicketsResponseProto groupTickets(RpcController controller,
      GroupTicketsRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> {
      path(request.getPath());
      return UnitGrant.toProto(plugin.tickets(TicketRequest.parse(request)));
    });
  }

  @Override
  public CommitStatusProto commit(RpcController controller, CommitRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> plugin.commit(path(request.getPath()),
        request.hasId() ? WireRules.name("id", request.getId()) : null).toProto());
  }

  @Override
  public PendingUpdatesProto pendingUpdates(RpcController controller,
      PendingUpdatesRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> plugin.pendingUpdates(path(request.getPath())).toProto());
  }

  @Override
  public FeaturesResponseProto features(RpcController controller, FeaturesRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() ->
        FeaturesResponseProto.newBuilder().addAllFeature(plugin.features()).build());
  }

  @Override
  public LeftoversResponseProto leftovers(RpcController controller, LeftoversRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> plugin.leftovers(request.getClear()).toProto());
  }

  @Override
  public FinalizeRecordsResponseProto finalizeRecords(RpcController controller,
      FinalizeRecordsRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> plugin.finalizeRecords(request.getFinalize()).toProto());
  }

  private static CoreDirectoryResponseProto answer(CoreDirectory directory) {
    return CoreDirectoryResponseProto.newBuilder()
        .setDirectory(directory.toProto()).build();
  }

  private static String path(String path) throws MalformedRequestException {
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new MalformedRequestException("The path is refused: it is not absolute, or"
          + " has a character that no name in HDFS has");
    }
    return path;
  }

  private static OptionalInt files(ProtectDirectoryRequestProto request)
      throws MalformedRequestException {
    if (!request.hasFilesPerGroup()) {
      return OptionalInt.empty();
    }
    int files = request.getFilesPerGroup();
    if (files < CoreDirectory.FILES_MIN || files > CoreDirectory.FILES_MAX) {
      throw new MalformedRequestException("A CORE group has " + CoreDirectory.FILES_MIN + " to "
          + CoreDirectory.FILES_MAX + " files, not " + files);
    }
    return OptionalInt.of(files);
  }

  private static String id(String id) throws MalformedRequestException {
    try {
      return ConversionRequest.checkedId(id);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException(e.getMessage(), e);
    }
  }

  private static ConversionAction action(int number) throws MalformedRequestException {
    try {
      return ConversionAction.ofNumber(number);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("This NameNode cannot do that: " + e.getMessage(), e);
    }
  }
}
