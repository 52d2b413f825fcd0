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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.update.TicketTokens.PeerTokens;
import org.junit.jupiter.api.Test;

/** Tests how long a token is used. */
@InterfaceAudience.Private
class TestPeerTokens {
  private static final long LIFETIME_MS = TimeUnit.HOURS.toMillis(10);

  /** The time of day and the monotonic clock, which advance together. */
  private final AtomicLong ms = new AtomicLong(TimeUnit.DAYS.toMillis(20_000));
  private final AtomicInteger made = new AtomicInteger();
  private final PeerTokens tokens =
      new PeerTokens(ms::get, () -> TimeUnit.MILLISECONDS.toNanos(ms.get()));

  private Token<BlockTokenIdentifier> token(String purpose, long lifetimeMs) throws IOException {
    return tokens.token(purpose, () -> {
      made.incrementAndGet();
      BlockTokenIdentifier id = new BlockTokenIdentifier("dn", "pool", 7,
          EnumSet.of(AccessMode.COPY), StorageType.EMPTY_ARRAY, new String[] {purpose}, true);
      id.setExpiryDate(ms.get() + lifetimeMs);
      return new Token<>(id.getBytes(), new byte[] {1}, new Text("kind"), new Text("service"));
    });
  }

  @Test
  void tokenIsUsedForAWhile() throws IOException {
    Token<BlockTokenIdentifier> first = token("a", LIFETIME_MS);
    ms.addAndGet(PeerTokens.USED_MS_MOST - 1);
    assertSame(first, token("a", LIFETIME_MS));
    ms.addAndGet(1);
    Token<BlockTokenIdentifier> second = token("a", LIFETIME_MS);
    assertNotSame(first, second);
    assertSame(second, token("a", LIFETIME_MS));
  }

  @Test
  void eachPurposeHasATokenOfItsOwn() throws IOException {
    Token<BlockTokenIdentifier> a = token("a", LIFETIME_MS);
    Token<BlockTokenIdentifier> b = token("b", LIFETIME_MS);
    assertNotSame(a, b);
    assertSame(a, token("a", LIFETIME_MS));
    assertSame(b, token("b", LIFETIME_MS));
  }

  @Test
  void shortLivedTokenIsUsedForAPartOfItsLife() throws IOException {
    Token<BlockTokenIdentifier> first = token("a", 4_000);
    ms.addAndGet(999);
    assertSame(first, token("a", 4_000));
    ms.addAndGet(1);
    assertNotSame(first, token("a", 4_000));
    // A token that has expired already, or that expires at once.
    assertNotSame(token("b", 3), token("b", 3));
    assertNotSame(token("c", -1), token("c", -1));
  }

  @Test
  void aboveTheBoundTheEldestIsMadeAnew() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i <= PeerTokens.TOKENS_MOST; i++) {
        token("purpose " + i, LIFETIME_MS);
      }
    }
    assertEquals(3 * (PeerTokens.TOKENS_MOST + 1), made.get());
    token("purpose " + PeerTokens.TOKENS_MOST, LIFETIME_MS);
    token("purpose 1", LIFETIME_MS);
    assertEquals(3 * (PeerTokens.TOKENS_MOST + 1), made.get());
    token("purpose 0", LIFETIME_MS);
    assertEquals(3 * (PeerTokens.TOKENS_MOST + 1) + 1, made.get());
  }

  @Test
  void clusterWithoutTokensNeedsNone() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertEquals(0, tokens.token("a", Token::new).getIdentifier().length);
    }
    assertThrows(IOException.class, () -> tokens.token("a", () -> {
      throw new IOException("no key");
    }));
  }
}
