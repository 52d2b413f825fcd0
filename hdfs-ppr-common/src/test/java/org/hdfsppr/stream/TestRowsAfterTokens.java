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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SentRows;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.Test;

/** Tests that a caller without a token cannot make a node eliminate matrices. */
class TestRowsAfterTokens {
  private static final GroupId GROUP = new GroupId("BP-7", -1024, 1001);
  private static final NodeRef SELF = new NodeRef("u1", "10.0.0.1", "h1", 9866, 9890, "/r");

  /** Two rows of one sub-chunk, of which row 1 is twice row 0; the node is said to send neither. */
  private static PartialSumRequest request() {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    BlockRef block = GROUP.block(1, 8192);
    tokens.put(block, new Token<>(new byte[] {1}, new byte[] {2}, new Text("K"), new Text("")));
    RepairSource source = new RepairSource(1, block, SELF, new byte[] {3, 0, 6, 0}, 2, 2,
        new byte[0]);
    PlanNode node = new PlanNode(SELF, List.of(source), Collections.emptyList())
        .sending(new SentRows(new int[0], new int[0]));
    return new PartialSumRequest(PartialSumRequest.of("r", 2, 0, 1000), GROUP,
        new SliceGeometry(8192, 4096, 2, 8192, 0, 0), node, tokens);
  }

  private static HelperHost host(String refusal) {
    InvocationHandler answers = (proxy, method, arguments) -> {
      switch (method.getName()) {
        case "self":
          return SELF;
        case "requestFeatures":
          return 0L;
        case "refusal":
          return refusal;
        default:
          throw new AssertionError(method + " is not asked for this request");
      }
    };
    return (HelperHost) Proxy.newProxyInstance(TestRowsAfterTokens.class.getClassLoader(),
        new Class<?>[] {HelperHost.class}, answers);
  }

  private static HelperSession served(String refusal, HelperSession.Outcome outcome) {
    HelperSession session = new HelperSession(host(refusal), (node, block, token) -> {
      throw new AssertionError("a leaf connects to no node");
    }, Kernels.select("java"), new BufferPool(1 << 20), new RateMemory(), System::nanoTime);
    assertEquals(outcome, session.serve(request(), new TransferConnection() {
      @Override
      public InputStream in() {
        return new ByteArrayInputStream(new byte[0]);
      }

      @Override
      public OutputStream out() {
        return new ByteArrayOutputStream();
      }

      @Override
      public void setTimeout(int timeoutMs) {
        // Nothing waits.
      }

      @Override
      public void abort() {
        // Nothing is open.
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    }));
    return session;
  }

  @Test
  void theTokenComesFirst() {
    HelperSession session = served("a stranger", HelperSession.Outcome.TOKEN_REFUSED);
    assertSame(FailureCause.ACCESS_TOKEN, session.failure().failureCause);
  }

  @Test
  void rowsThatAreNoBasisAreRefused() {
    HelperSession session = served(null, HelperSession.Outcome.FAILED);
    assertSame(FailureCause.PROTOCOL, session.failure().failureCause);
    assertTrue(session.failure().getMessage().contains("not a basis"),
        session.failure().getMessage());
  }
}
