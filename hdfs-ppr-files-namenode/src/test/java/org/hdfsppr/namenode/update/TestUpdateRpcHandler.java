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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.convert.PathStatus;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.service.Services;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users' calls about updates, at the desk of a NameNode. */
@InterfaceAudience.Private
@Timeout(60)
class TestUpdateRpcHandler {
  private static final GroupPolicy POLICY = new GroupPolicy("rs", 1, 2, 1024);
  private static final long DIRECTORY = 50;
  private static final long FILE = 77;
  private static final String PATH = "/dir/77";

  /** The namespace of a cluster with block tokens. */
  private final MemoryNamespace namespace = new MemoryNamespace() {
    @Override
    public UpdatableFile file(String path, GroupId group, boolean isWrite)
        throws FileNotFoundException {
      return file(FILE, 0);
    }

    @Override
    public SignedTicket sign(UpdateTicket ticket, AccessMode mode) {
      return SignedTicket.of(ticket,
          hasTokens ? new Token<>(new byte[] {1}, new byte[0], new Text(), new Text())
              : new Token<>());
    }
  };
  private final RpcCaller users = new RpcCaller() {
    @Override
    public boolean isInSafeMode() {
      return false;
    }

    @Override
    public void checkActive() {
    }

    @Override
    public String name() {
      return "eve";
    }

    @Override
    public boolean isSuperuser() {
      return false;
    }

    @Override
    public Optional<PathStatus> status(String path) {
      return Optional.of(new PathStatus(DIRECTORY, true, 0, null));
    }

    @Override
    public void checkDirectory(String directory, boolean isChanged) {
    }

    @Override
    public boolean mayList(String directory) {
      return true;
    }

    @Override
    public void checkWrite(String directory) {
    }

    @Override
    public void audit(boolean isAllowed, String operation, String what) {
      audited.add(operation + " " + isAllowed + " " + what);
    }
  };
  private final ConvertGate gate = new ConvertGate() {
    @Override
    public boolean isActive() {
      return true;
    }

    @Override
    public long term() {
      return 1;
    }

    @Override
    public Optional<String> whyNoJobs() {
      return Optional.empty();
    }

    @Override
    public Optional<String> whyNot() {
      return Optional.empty();
    }

    @Override
    public Optional<UnseenReads> unseenReads() {
      return Optional.empty();
    }
  };
  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final FakeLogs logs = new FakeLogs(3);
  private final TicketKeeper keeper = new TicketKeeper(new TicketParts(
      TicketSettings.of(new Configuration(false)), namespace, namespace, logs, logs, nowMs::get),
      () -> new UUID(5, 1), () -> 1_700_000_000_000L);
  private final List<String> audited = new ArrayList<>();
  private boolean hasTokens = true;

  @BeforeEach
  void start() {
    namespace.addFile(FILE, DIRECTORY, true, POLICY,
        Map.of(0, List.of("n0"), 1, List.of("n1"), 2, List.of("n2")));
    // Readers may know for a while that the file was never updated.
    for (int i = 0; i < 8; i++) {
      nowMs.addAndGet(250);
      keeper.step();
    }
    keeper.start(new Services(System::nanoTime));
  }

  @AfterEach
  void stop() {
    keeper.close();
  }

  private UpdateRpcHandler desk(boolean givesOldTickets) {
    return new UpdateRpcHandler(keeper, gate, users, namespace, givesOldTickets);
  }

  private UnitGrant ticket(boolean givesOldTickets, boolean isWrite) throws IOException {
    return desk(givesOldTickets).tickets(new TicketRequest(PATH, MemoryNamespace.group(0), isWrite,
        Map.of())).get(0);
  }

  @Test
  void writersGetNoTicketOfTheOldKindIfTheSettingSaysSo() throws IOException {
    assertTrue(ticket(false, true).ticket().orElseThrow().ticket.sealed);
    logs.withoutSeal("n1");
    logs.withoutSeal("n2");
    assertFalse(ticket(true, true).ticket().orElseThrow().ticket.sealed);
    String why = ticket(false, true).refusal().orElseThrow();
    assertTrue(why.contains("dfs.namenode.ppr.update.old-tickets is false"), why);
    // Readers may read the block anyway.
    assertFalse(ticket(false, false).ticket().orElseThrow().ticket.sealed);
    hasTokens = false;
    assertTrue(ticket(false, true).ticket().isPresent());
    assertEquals(List.of("pprUpdate true " + PATH), audited.subList(0, 1));
  }
}
