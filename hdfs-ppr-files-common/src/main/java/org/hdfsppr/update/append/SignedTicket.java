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
package org.hdfsppr.update.append;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.WireRules;

/**
 * A ticket, its bytes, and a block token that proves that the ticket is genuine. A token proves
 * this if its identifier has the {@link #mark} of the ticket among its storage ids, and the block
 * and the access modes of {@link #tokenBlock} and {@link #tokenModes}. Only NameNodes and DataNodes
 * can make such an identifier. A NameNode makes tokens with the right to READ or WRITE for clients.
 * DataNodes make tokens with the right to COPY for each other; clients do not get these. Immutable.
 *
 * <p>A DataNode of HDFS also accepts such tokens at its data transfer port, where it does not look
 * at marks. With a token that has WRITE for the unit's block, a client could replace replicas of
 * that block, also those that snapshots need. So the token of a {@link UpdateTicket#sealed sealed}
 * ticket has no access mode, and HDFS lets its bearer do nothing. Its block is {@link #NO_BLOCK}.
 * The right that the bearer has is part of the mark. The mark also has a digest of the ticket, and
 * so of the unit's block.
 *
 * <pre>
 *               block        modes    among the storages
 *   sealed      NO_BLOCK     none     ppr-sealed-RIGHT-SHA256
 *   unsealed    the unit's   RIGHT    ppr-ticket-SHA256
 * </pre>
 */
@InterfaceAudience.Private
public final class SignedTicket {
  /**
   * The block id in sealed tokens. No block has it: the ids that HDFS gives to blocks begin at
   * 2^30, and those of block groups are negative. As no token with this id has an access mode, no
   * DataNode accepts it to write such a block.
   */
  public static final long NO_BLOCK = 0;
  /** The beginning of a mark. No storage id of HDFS begins with it. */
  private static final String MARK = "ppr-ticket-";
  /** The beginning of the mark of a sealed token. The right follows, whose name has no hyphen. */
  private static final String SEALED_MARK = "ppr-sealed-";

  /** The ticket */
  public final UpdateTicket ticket;
  /**
   * The bytes of the ticket as they were signed, including fields that this version does not know
   */
  public final ByteString bytes;
  /** The token */
  public final Token<BlockTokenIdentifier> token;

  private SignedTicket(UpdateTicket ticket, ByteString bytes, Token<BlockTokenIdentifier> token) {
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    this.bytes = Objects.requireNonNull(bytes, "bytes");
    this.token = Objects.requireNonNull(token, "token");
  }

  /**
   * @param ticket a ticket
   * @param token the token that proves that the ticket is genuine
   * @return both
   */
  public static SignedTicket of(UpdateTicket ticket, Token<BlockTokenIdentifier> token) {
    return new SignedTicket(ticket, ticket.toBytes(), token);
  }

  /**
   * Parses the bytes of a ticket that this node has received. The token is not checked.
   *
   * @param bytes the bytes of a ticket
   * @param token the token that proves that the ticket is genuine
   * @return both
   * @throws MalformedRequestException if the bytes are no ticket
   */
  public static SignedTicket parse(ByteString bytes, Token<BlockTokenIdentifier> token)
      throws MalformedRequestException {
    try {
      return new SignedTicket(UpdateTicket.convert(bytes), bytes, token);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The ticket contradicts itself: " + e.getMessage(), e);
    }
  }

  /**
   * @param other another token for the same ticket
   * @return the same ticket with that token
   */
  public SignedTicket with(Token<BlockTokenIdentifier> other) {
    return new SignedTicket(ticket, bytes, other);
  }

  /** Returns how many bytes ticket and token have together. */
  int size() {
    return bytes.size() + token.getIdentifier().length + token.getPassword().length
        + token.getKind().getLength() + token.getService().getLength();
  }

  /** Returns the SHA-256 of ticket and token. */
  ByteString digest() {
    return sha256(bytes, WireRules.toProto(token).toByteString());
  }

  /** @return the block that the token's identifier must have */
  public ExtendedBlock tokenBlock() {
    return ticket.sealed ? new ExtendedBlock(ticket.poolId(), NO_BLOCK)
        : ticket.block.toExtendedBlock();
  }

  /**
   * @param right what the bearer of the token may do
   * @return the access modes that the token's identifier must have
   */
  public EnumSet<AccessMode> tokenModes(AccessMode right) {
    return ticket.sealed ? EnumSet.noneOf(AccessMode.class) : EnumSet.of(right);
  }

  /**
   * @param right what the bearer of the token may do
   * @return the text that the token's identifier must have among its storage ids
   */
  public String mark(AccessMode right) {
    StringBuilder mark = new StringBuilder(ticket.sealed ? SEALED_MARK + right + "-" : MARK);
    // This runs for each request about a log, and Hadoop's method for hexadecimal digits is slow:
    // it parses a format for each byte.
    for (byte one : sha256(bytes)) {
      mark.append(Character.forDigit(one >> 4 & 0xf, 16)).append(Character.forDigit(one & 0xf, 16));
    }
    return mark.toString();
  }

  /** Returns the SHA-256 of all parts, one after the other. */
  static ByteString sha256(ByteString... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ByteString part : parts) {
        digest.update(part.asReadOnlyByteBuffer());
      }
      return ByteString.copyFrom(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has SHA-256", e);
    }
  }
}
