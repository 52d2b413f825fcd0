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

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.files.rpc.HandlerShare;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionProtocol;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreProtocol;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.FinalizeProtocol;
import org.hdfsppr.operate.FinalizedRecords;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.LeftoverProtocol;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.PprClientProtocol;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.operate.SubmissionTerms;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.WaitingUpdates;

/**
 * The RPC server's entry for the calls of users: passes each call to the object that answers calls
 * of its kind. Thread-safe.
 */
@InterfaceAudience.Private
public final class ClientCalls implements PprClientProtocol {
  private final HandlerShare share;
  private volatile ConversionProtocol desk;
  private volatile CoreProtocol core;
  private volatile UpdateProtocol updates;
  private volatile CommitProtocol commits;
  private volatile LeftoverProtocol leftovers;
  private volatile FinalizeProtocol finalizing;
  /** The refusal for all calls but those about updates; null while they are not refused. */
  private volatile String refusal;

  /** @param handlers how many handler threads the RPC server has */
  public ClientCalls(int handlers) {
    share = new HandlerShare(handlers, "users");
  }

  /**
   * @param answers answers calls about conversions from now on; null if the callers are to try
   *     again later
   */
  public void open(ConversionProtocol answers) {
    desk = answers;
  }

  /**
   * @param answers answers calls about CORE groups from now on; null if the callers are to try
   *     again later
   */
  public void openCore(CoreProtocol answers) {
    core = answers;
  }

  /**
   * @param answers answers calls about updates from now on; null if the callers are to try again
   *     later
   */
  public void openUpdates(UpdateProtocol answers) {
    updates = answers;
  }

  /**
   * @param answers answers calls about commits from now on; null if the callers are to try again
   *     later
   */
  public void openCommits(CommitProtocol answers) {
    commits = answers;
  }

  /**
   * @param answers answers calls about leftovers from now on; null if the callers are to try again
   *     later
   */
  public void openLeftovers(LeftoverProtocol answers) {
    leftovers = answers;
  }

  /**
   * @param answers answers calls about finalized records from now on; null if the callers are to
   *     try again later
   */
  public void openFinalizing(FinalizeProtocol answers) {
    finalizing = answers;
  }

  /** @param why the refusal, for users, of all calls from now on but those about updates */
  public void refuse(String why) {
    refusal = why;
  }

  /** A call, as a function of the object that answers it. */
  private interface Call<D, T> {
    T answer(D desk) throws IOException;
  }

  private <D, T> T answer(D answers, Call<D, T> call) throws IOException {
    String why = refusal;
    if (why != null) {
      throw new ConversionRefusedException(why);
    }
    return answerAnyway(answers, call);
  }

  private <D, T> T answerAnyway(D answers, Call<D, T> call) throws IOException {
    if (answers == null) {
      throw new RetriableException("This NameNode does not answer users yet; try again");
    }
    return share.answer(() -> call.answer(answers));
  }

  @Override
  public ConversionStatus submitConversion(ConversionRequest request) throws IOException {
    return answer(desk, open -> open.submitConversion(request));
  }

  @Override
  public List<ConversionStatus> conversions(String jobId) throws IOException {
    return answer(desk, open -> open.conversions(jobId));
  }

  @Override
  public ConversionStatus steerConversion(String jobId, ConversionAction action)
      throws IOException {
    return answer(desk, open -> open.steerConversion(jobId, action));
  }

  @Override
  public CoreDirectory protectDirectory(String path, boolean isRecursive, OptionalInt files)
      throws IOException {
    return answer(core, open -> open.protectDirectory(path, isRecursive, files));
  }

  @Override
  public CoreDirectory unprotectDirectory(String path) throws IOException {
    return answer(core, open -> open.unprotectDirectory(path));
  }

  @Override
  public CoreStatus coreStatus(String path) throws IOException {
    return answer(core, open -> open.coreStatus(path));
  }

  @Override
  public SubmissionTerms beginSubmission(String path, boolean isRecursive, OptionalInt files)
      throws IOException {
    return answer(core, open -> open.beginSubmission(path, isRecursive, files));
  }

  @Override
  public SpreadAnswer planSpread(String path, SpreadPlace from) throws IOException {
    return answer(core, open -> open.planSpread(path, from));
  }

  @Override
  public List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException {
    return answer(core, open -> open.submitGroups(submission));
  }

  @Override
  public boolean setUpdatable(String directory, boolean isUpdatable, String strategy)
      throws IOException {
    return answerAnyway(updates, open -> open.setUpdatable(directory, isUpdatable, strategy));
  }

  @Override
  public boolean isUpdatable(String file) throws IOException {
    return answerAnyway(updates, open -> open.isUpdatable(file));
  }

  @Override
  public List<UnitGrant> tickets(TicketRequest request) throws IOException {
    return answerAnyway(updates, open -> open.tickets(request));
  }

  @Override
  public CommitStatus commit(String path, String id) throws IOException {
    return answer(commits, open -> open.commit(path, id));
  }

  @Override
  public WaitingUpdates pendingUpdates(String path) throws IOException {
    return answer(commits, open -> open.pendingUpdates(path));
  }

  @Override
  public Set<String> features() {
    return Set.of(VERSION_SHARDS, SEALED_RECORDS);
  }

  @Override
  public FinalizedRecords finalizeRecords(boolean isFinalized) throws IOException {
    return answer(finalizing, open -> open.finalizeRecords(isFinalized));
  }

  @Override
  public Leftovers leftovers(boolean isCleared) throws IOException {
    return answer(leftovers, open -> open.leftovers(isCleared));
  }
}
