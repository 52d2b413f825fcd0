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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.host.BlockTokenAuthorizer;
import org.hdfsppr.datanode.host.NeighbourRules;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RepairException;

/**
 * Checks and makes the block tokens that allow requests about update logs: WRITE for appends of
 * clients, READ for their reads, COPY for requests of other nodes. HDFS gives clients tokens with
 * COPY, too. So a token for a request also has a mark: a text in place of a storage id, made from
 * the ticket's fields, which no token of HDFS has. Thread-safe.
 */
@InterfaceAudience.Private
public final class TicketTokens {
  private final DataNode datanode;
  private final int repairPort;
  private final BlockTokenAuthorizer tokens;
  private final NeighbourRules rules;
  private final PeerTokens made = new PeerTokens(System::currentTimeMillis, System::nanoTime);

  /**
   * @param datanode the DataNode
   * @param repairPort the port on which the DataNode serves requests
   * @param commonPort the port that all DataNodes are configured with; 0 if there is no common port
   */
  public TicketTokens(DataNode datanode, int repairPort, int commonPort) {
    this.datanode = datanode;
    this.repairPort = repairPort;
    this.tokens = new BlockTokenAuthorizer(datanode);
    this.rules =
        new NeighbourRules(commonPort, datanode.getDnConf().getConnectToDnViaHostname());
  }

  /**
   * @return the name and addresses of this node, which are complete after its first handshake with
   *     a NameNode
   */
  public NodeRef self() {
    DatanodeID id = datanode.getDatanodeId();
    return new NodeRef(id.getDatanodeUuid(), id.getIpAddr(), id.getHostName(), id.getXferPort(),
        repairPort, "");
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token does not let a client write; null if it does
   */
  public String mayWrite(SignedTicket ticket) {
    return speaksFor(ticket, AccessMode.WRITE);
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token does not let a client read; null if it does
   */
  public String mayRead(SignedTicket ticket) {
    return speaksFor(ticket, AccessMode.READ);
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token is not that of a node of the cluster; null if it is
   */
  public String isPeer(SignedTicket ticket) {
    return speaksFor(ticket, AccessMode.COPY);
  }

  /**
   * @param ticket a ticket
   * @return the ticket with a token by which the ticket's other holders accept requests of this
   *     node; the token may be one that this node made less than {@link PeerTokens#USED_MS_MOST}
   *     before
   * @throws IOException if this node has no key
   */
  public SignedTicket asPeer(SignedTicket ticket) throws IOException {
    ExtendedBlock block = ticket.tokenBlock();
    String mark = ticket.mark(AccessMode.COPY);
    return ticket.with(made.token(block + " " + mark, () -> datanode.getBlockAccessToken(block,
        ticket.tokenModes(AccessMode.COPY), StorageType.EMPTY_ARRAY, new String[] {mark})));
  }

  /**
   * @param nodes the nodes that a request names, and to which this node would connect
   * @return why their addresses cannot be those of DataNodes; null if they can
   */
  public String cannotBeDataNodes(Collection<NodeRef> nodes) {
    try {
      rules.check(self(), nodes);
      return null;
    } catch (RepairException e) {
      return e.toString();
    }
  }

  /**
   * Returns why the token of a ticket does not prove that a NameNode or a DataNode of the cluster
   * has made it for this ticket, or null if it does. The token's identifier, which only they can
   * sign, has to name the ticket's block, and its storage ids have to contain
   * {@link SignedTicket#mark}, a text made from the ticket. Tokens that HDFS makes for a block do
   * not contain it. In a cluster without block tokens, a caller must at least name a block pool
   * that this DataNode serves.
   *
   * @param right what the bearer wants to do
   */
  private String speaksFor(SignedTicket signed, AccessMode right) {
    ExtendedBlock block = signed.tokenBlock();
    if (!datanode.isBPServiceAlive(block.getBlockPoolId())) {
      return block + ": this DataNode does not serve its block pool";
    }
    if (!tokens.hasTokens(block)) {
      return null;
    }
    String refusal = signed.ticket.sealed ? refusal(block, signed.token)
        : tokens.refusal(block, signed.token, right);
    if (refusal != null) {
      return refusal;
    }
    try {
      String[] storages = identifier(signed.token).getStorageIds();
      return storages != null && Arrays.asList(storages).contains(signed.mark(right)) ? null
          : block + ": the token is for another purpose";
    } catch (IOException | RuntimeException e) {
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }

  /**
   * Returns why a token is not a valid one for a block, or null if it is. This is for tokens
   * without access modes, which HDFS's own check always refuses. This method checks the same,
   * except that the token must have no mode: tokens with one were not made for sealed tickets.
   */
  private String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    try {
      BlockTokenIdentifier id = identifier(token);
      if (!block.getBlockPoolId().equals(id.getBlockPoolId())
          || block.getBlockId() != id.getBlockId() || !id.getAccessModes().isEmpty()) {
        return block + ": the token is for another purpose";
      }
      // This call fails if the token has expired.
      byte[] password = datanode.getBlockPoolTokenSecretManager().retrievePassword(id);
      return MessageDigest.isEqual(password, token.getPassword()) ? null
          : block + ": the password of the token is wrong";
    } catch (IOException | RuntimeException e) {
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }

  private static BlockTokenIdentifier identifier(Token<BlockTokenIdentifier> token)
      throws IOException {
    BlockTokenIdentifier id = new BlockTokenIdentifier();
    id.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    return id;
  }

  /**
   * The tokens that this node has made shortly before for requests to other nodes. Two tokens for
   * the same purpose differ in their time of expiry, and the other nodes remember each ticket with
   * its token. So this node uses a token for a while, and the other nodes get the same one again. A
   * token is used only while it is far from its expiry. Thread-safe.
   */
  static final class PeerTokens {
    /** Makes a token. */
    interface Maker {
      Token<BlockTokenIdentifier> make() throws IOException;
    }

    /**
     * How many tokens, of some 500 bytes each, are kept at most. Beyond this number the oldest one
     * is dropped, and made anew when it is needed.
     */
    static final int TOKENS_MOST = 1024;
    /**
     * How long a token is used, ms; much shorter than the lifetime that HDFS gives it by default.
     */
    static final long USED_MS_MOST = 30_000;
    /**
     * A token is used for its remaining lifetime divided by this number: with 4, for a quarter of
     * it.
     */
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
    /** The tokens by the text of their purpose, see {@link #token}. Guarded by this. */
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
      return identifier(token).getExpiryDate() - clockMs.getAsLong();
    }
  }
}
