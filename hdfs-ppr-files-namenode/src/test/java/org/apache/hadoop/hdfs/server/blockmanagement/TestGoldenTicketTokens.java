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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** The bytes of the tokens that speak for tickets. DataNodes of other versions check them. */
class TestGoldenTicketTokens {
  private static final long EXPIRES_MS = 1_700_000_000_000L;
  private static final int KEY = 77;

  /** A BlockManager whose tokens are as HDFS makes them, at a fixed time and with a fixed key. */
  @SuppressWarnings("unchecked")
  private static BlockManager blocks(boolean asProto) throws Exception {
    BlockTokenSecretManager tokens = mock(BlockTokenSecretManager.class);
    when(tokens.generateToken(any(String.class), any(ExtendedBlock.class), any(EnumSet.class),
        any(StorageType[].class), any(String[].class))).thenAnswer(call -> {
          ExtendedBlock block = call.getArgument(1);
          BlockTokenIdentifier id = new BlockTokenIdentifier(call.getArgument(0),
              block.getBlockPoolId(), block.getBlockId(), call.getArgument(2),
              call.getArgument(3), call.getArgument(4), asProto);
          id.setExpiryDate(EXPIRES_MS);
          id.setKeyId(KEY);
          return new Token<BlockTokenIdentifier>(id.getBytes(), new byte[] {1, 2}, id.getKind(),
              new Text(""));
        });
    BlockManager blocks = mock(BlockManager.class);
    when(blocks.getBlockTokenSecretManager()).thenReturn(tokens);
    return blocks;
  }

  @Test
  void identifiers() throws Exception {
    Golden golden = Golden.of("tokens/tickets");
    UpdateTicket plain = new UpdateTicket(new UnitId(new UUID(3, -4), 5, 6),
        new BlockRef("BP-1", -16, 1001, 1_000), 8, 7, 9, List.of(new NodeRef("uuid-1",
            "10.0.0.1", "host-1", 9866, 9877, "/rack-1")));
    for (boolean asProto : new boolean[] {false, true}) {
      for (UpdateTicket ticket : List.of(plain, plain.withSeal())) {
        for (AccessMode right : List.of(AccessMode.READ, AccessMode.WRITE)) {
          golden.written(right + (ticket.sealed ? ", sealed" : ", plain")
              + (asProto ? ", as protobuf" : ""),
              TicketSigner.sign(blocks(asProto), "alice", ticket, right).token
                  .getIdentifier());
        }
      }
    }
    golden.check();
  }
}
