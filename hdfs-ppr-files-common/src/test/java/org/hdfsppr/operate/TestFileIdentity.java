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
package org.hdfsppr.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.operate.proto.ClientProtos.GroupTicketsResponseProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Which file an answer about tickets is about, in memory and in messages. */
class TestFileIdentity {
  private static final UUID FILE = new UUID(-3, 4);
  private static final UUID ELSE = new UUID(5, 6);

  private static FileIdentity of(UUID uuid, Long... inodes) {
    return FileIdentity.of(uuid, Set.of(inodes));
  }

  private static void assertSame(FileIdentity one, FileIdentity other) {
    assertTrue(one.isSame(other) && other.isSame(one), one + ", " + other);
    assertFalse(one.isOther(other) || other.isOther(one), one + ", " + other);
  }

  private static void assertOther(FileIdentity one, FileIdentity other) {
    assertTrue(one.isOther(other) && other.isOther(one), one + ", " + other);
    assertFalse(one.isSame(other) || other.isSame(one), one + ", " + other);
  }

  private static void assertNotKnown(FileIdentity one, FileIdentity other) {
    assertFalse(one.isOther(other) || other.isOther(one), one + ", " + other);
    assertFalse(one.isSame(other) || other.isSame(one), one + ", " + other);
  }

  @Test
  void filesAreComparedByWhatIsKnownOfBoth() {
    assertSame(of(FILE), of(FILE, 8L));
    assertSame(of(FILE, 7L), of(FILE, 8L));
    assertSame(of(null, 7L), of(FILE, 8L, 7L));
    assertSame(of(null, 7L), of(null, 7L));
    assertOther(of(FILE), of(ELSE));
    // A file that had another UUID before is taken for another one.
    assertOther(of(FILE, 7L), of(ELSE, 7L));
    assertOther(of(null, 7L), of(FILE, 9L, 8L));
    assertOther(of(FILE, 8L, 7L), of(null, 9L));
    assertNotKnown(of(null, 7L), of(FILE));
    assertNotKnown(FileIdentity.UNKNOWN, of(FILE, 7L));
    assertNotKnown(FileIdentity.UNKNOWN, FileIdentity.UNKNOWN);
  }

  @Test
  void whatWasKnownStaysKnown() {
    assertEquals(of(FILE, 8L, 7L), of(null, 7L).and(of(FILE, 8L, 7L)));
    assertEquals(of(FILE, 7L), of(FILE, 8L, 7L).and(of(null, 7L)));
    assertEquals(of(FILE, 7L), of(null, 7L).and(of(FILE)));
    assertEquals(of(FILE, 7L), of(FILE, 7L).and(FileIdentity.UNKNOWN));
    assertTrue(FileIdentity.UNKNOWN.isUnknown());
    assertFalse(of(null, 7L).isUnknown() || of(FILE).isUnknown());
  }

  private static SignedTicket ticket() {
    return SignedTicket.of(new UpdateTicket(new UnitId(FILE, 0, 2),
        new GroupId("BP-1", -1024, 1).block(2, 8), 4, 3, 1,
        List.of(new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r"))), new Token<>());
  }

  @Test
  void answersCarryIt() throws IOException {
    List<UnitGrant> grants = UnitGrant.parse(UnitGrant.toProto(List.of(
        UnitGrant.noLog(0, 900).of(of(null, 7L)),
        UnitGrant.noLog(1, 0).of(of(FILE, 8L, 7L)),
        UnitGrant.of(2, ticket()).of(of(FILE, 8L)),
        UnitGrant.of(2, ticket()),
        UnitGrant.noLog(3, 900),
        UnitGrant.later(4, "why").of(of(null, 7L)))));
    assertEquals(of(null, 7L), grants.get(0).file);
    assertEquals(900, grants.get(0).validMs);
    assertEquals(of(FILE, 8L, 7L), grants.get(1).file);
    assertEquals(of(FILE, 8L), grants.get(2).file);
    assertEquals(of(FILE), grants.get(3).file, "a ticket names the file");
    assertTrue(grants.get(3).ticket().isPresent());
    assertEquals(FileIdentity.UNKNOWN, grants.get(4).file);
    assertEquals("why", grants.get(5).later().orElseThrow());
  }

  /** A NameNode of an earlier version sends no such field. */
  @Test
  void anAnswerWithoutItIsAsBefore() {
    GroupTicketsResponseProto proto = UnitGrant.toProto(List.of(UnitGrant.noLog(0, 900)));
    assertFalse(proto.getUnits(0).hasFile());
  }

  @Test
  void contradictionsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> UnitGrant.of(2, ticket()).of(of(ELSE)));
    GroupTicketsResponseProto.Builder proto =
        UnitGrant.toProto(List.of(UnitGrant.of(2, ticket()).of(of(FILE, 8L)))).toBuilder();
    proto.getUnitsBuilder(0).getFileBuilder().setFileLow(99);
    assertThrows(MalformedRequestException.class, () -> UnitGrant.parse(proto.build()));
    proto.getUnitsBuilder(0).getFileBuilder().setFileLow(FILE.getLeastSignificantBits());
    for (long inode = 0; inode < 16; inode++) {
      proto.getUnitsBuilder(0).getFileBuilder().addInodes(inode);
    }
    assertThrows(MalformedRequestException.class, () -> UnitGrant.parse(proto.build()));
  }
}
