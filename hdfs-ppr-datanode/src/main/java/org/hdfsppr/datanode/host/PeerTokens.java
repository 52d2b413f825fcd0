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
package org.hdfsppr.datanode.host;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * The tokens that this node has made for messages to others a moment ago. Each token has another
 * expiry, and others keep a token that they have seen; so the node uses one for a while. A token
 * that is used again is far from its expiry. Thread-safe.
 */
@InterfaceAudience.Private
final class PeerTokens {
  /** Makes a token. */
  interface Maker {
    Token<BlockTokenIdentifier> make() throws IOException;
  }

  /** The most tokens, of some 500 bytes each. Beyond it, the eldest one is made anew. */
  static final int TOKENS_MOST = 1024;
  /** How long a token is used, ms; much shorter than the lifetime that HDFS gives it by default. */
  static final long USED_MS_MOST = 30_000;
  /** The part of its lifetime for which a token is used: one of this many. */
  static final int LIFETIME_ONE_IN = 4;

  /** A token, and until when it is used. */
  private static final class Made {
    private final Token<BlockTokenIdentifier> token;
    private final long untilNanos;

    Made(Token<BlockTokenIdentifier> token, long untilNanos) {
      this.token = token;
      this.untilNanos = untilNanos;
    }
  }

  private final LongSupplier clockMs;
  private final LongSupplier nanoClock;
  /** By what the tokens are for. Guarded by this. */
  private final Map<String, Made> made = new LinkedHashMap<String, Made>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Made> eldest) {
      return size() > TOKENS_MOST;
    }
  };

  /**
   * @param clockMs the time of day, by which tokens expire, ms
   * @param nanoClock a monotonic clock, ns
   */
  PeerTokens(LongSupplier clockMs, LongSupplier nanoClock) {
    this.clockMs = clockMs;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns a token.
   *
   * @param purpose what the token is for: the same for the same block, rights and message
   * @param maker makes another token for it
   */
  Token<BlockTokenIdentifier> token(String purpose, Maker maker) throws IOException {
    long now = nanoClock.getAsLong();
    synchronized (this) {
      Made known = made.get(purpose);
      if (known != null && known.untilNanos - now > 0) {
        return known.token;
      }
    }
    Token<BlockTokenIdentifier> token = maker.make();
    long usedMs = Math.min(USED_MS_MOST, lifetimeMs(token) / LIFETIME_ONE_IN);
    synchronized (this) {
      made.remove(purpose);
      if (usedMs > 0) {
        made.put(purpose, new Made(token, now + TimeUnit.MILLISECONDS.toNanos(usedMs)));
      }
    }
    return token;
  }

  /** Returns how long a token is still valid, ms; 0 if the cluster has no tokens. */
  private long lifetimeMs(Token<BlockTokenIdentifier> token) throws IOException {
    if (token.getIdentifier().length == 0) {
      return 0;
    }
    BlockTokenIdentifier id = new BlockTokenIdentifier();
    id.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    return id.getExpiryDate() - clockMs.getAsLong();
  }
}
