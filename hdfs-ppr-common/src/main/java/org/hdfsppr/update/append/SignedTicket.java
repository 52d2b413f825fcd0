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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.wire.TokenCodec;

/**
 * A ticket, its bytes, and a token of the ticket's block. A token speaks for a ticket if its
 * identifier has {@link #mark} among its storages. A NameNode makes tokens with WRITE for clients;
 * DataNodes make tokens with COPY for each other, which clients do not get. Immutable.
 */
@InterfaceAudience.Private
public final class SignedTicket {
  private final Ticket ticket;
  private final ByteString bytes;
  private final Token<BlockTokenIdentifier> token;

  SignedTicket(Ticket ticket, ByteString bytes, Token<BlockTokenIdentifier> token) {
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    this.bytes = Objects.requireNonNull(bytes, "bytes");
    this.token = Objects.requireNonNull(token, "token");
  }

  /**
   * @param ticket a ticket
   * @param token the token that speaks for it
   * @return both
   */
  public static SignedTicket of(Ticket ticket, Token<BlockTokenIdentifier> token) {
    return new SignedTicket(ticket, TicketCodec.toBytes(ticket), token);
  }

  /**
   * @param other another token of the same block
   * @return the same ticket with that token
   */
  public SignedTicket with(Token<BlockTokenIdentifier> other) {
    return new SignedTicket(ticket, bytes, other);
  }

  /** @return the ticket */
  public Ticket ticket() {
    return ticket;
  }

  ByteString bytes() {
    return bytes;
  }

  /** Returns the bytes that ticket and token have together. */
  int size() {
    return bytes.size() + token.getIdentifier().length + token.getPassword().length
        + token.getKind().getLength() + token.getService().getLength();
  }

  /** Returns the SHA-256 of ticket and token. */
  ByteString digest() {
    return TicketCodec.sha256(bytes, TokenCodec.toProto(token).toByteString());
  }

  /** @return the token */
  public Token<BlockTokenIdentifier> token() {
    return token;
  }

  /** @return what the identifier of the token has to have among its storages */
  public String mark() {
    return TicketCodec.mark(bytes);
  }
}
