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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.wire.proto.PprProtos.TokenProto;

/** Converts between block tokens and their messages. */
@InterfaceAudience.Private
public final class TokenCodec {
  private TokenCodec() {
  }

  /**
   * Encodes a token.
   *
   * @param token the token
   * @return the message
   */
  public static TokenProto toProto(Token<BlockTokenIdentifier> token) {
    return TokenProto.newBuilder()
        .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
        .setPassword(ByteString.copyFrom(token.getPassword()))
        .setKind(token.getKind().toString())
        .setService(token.getService().toString())
        .build();
  }

  /**
   * Reads a token.
   *
   * @param proto the message
   * @return the token
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static Token<BlockTokenIdentifier> convert(TokenProto proto) {
    return new Token<>(proto.getIdentifier().toByteArray(), proto.getPassword().toByteArray(),
        new Text(Door.text("kind", proto.getKind())),
        new Text(Door.text("service", proto.getService())));
  }
}
