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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedValues;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.record.SealedRecordFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.record.RecordFile;
import org.hdfsppr.update.CommitWays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Records the bytes of all attributes by which the namespace knows updates of files. */
class TestUpdateRecordBytes {
  private static final UUID FILE = UUID.fromString("01020304-0506-4708-890a-0b0c0d0e0f10");
  private static final long INODE = 16_390;
  private static final String NODE = "5e1f0e3a-%04d-4c6a-9a2d-1f2e3d4c5b6a";

  private final MemoryNamespace namespace = new MemoryNamespace();

  private static byte[] with(int at, int value, byte[] record) {
    byte[] other = record.clone();
    other[at] = (byte) value;
    return other;
  }

  private static byte[] longer(byte[] record) {
    return Arrays.copyOf(record, record.length + 1);
  }

  private static String node(int number) {
    return String.format(NODE, number);
  }

  /** Lets the namespace take a change, and returns what an attribute has then. */
  private byte[] after(long inode, String attribute) {
    return namespace.value(inode, attribute);
  }

  @Test
  void tagsAreAsRecorded() throws IOException {
    byte[] first = new UpdateTag(FILE, INODE, 0).toBytes();
    RecordFile.of("update-tag", "trusted." + UpdateTag.XATTR + " of a file",
        bytes -> UpdateTag.parse(bytes, "/f").toBytes())
        .record("before the first commit", first)
        .record("behind the seventh commit", new UpdateTag(FILE, INODE, 7).toBytes())
        .given("of a later version", with(0, 2, first))
        .given("a byte too long", longer(first))
        .check();
    assertEquals("hdfs-ppr.update", UpdateTag.XATTR);
  }

  @Test
  void commitsAreAsRecorded() throws IOException {
    byte[] first = CommitRecord.none().toBytes();
    RecordFile.of("update-commits", "trusted." + CommitRecord.XATTR
        + " of the directory of a file's records",
        bytes -> CommitRecord.parse(bytes).toBytes())
        .record("before the first commit", first)
        .record("in the eighth commit", new CommitRecord(9, 7).toBytes())
        .given("of a later version", with(0, 2, first))
        .given("a byte too long", longer(first))
        .given("trimmed before it is made",
            ByteBuffer.allocate(17).put((byte) 1).putLong(3).putLong(3).array())
        .check();
    assertEquals("hdfs-ppr.commits", CommitRecord.XATTR);
  }

  @Test
  void termsAreAsRecorded() throws IOException {
    UnitTerm first = new UnitTerm(0, 1, 0, List.of(node(1), node(2)), List.of(),
        List.of(node(1), node(2)), 1);
    UnitTerm later = new UnitTerm(8, 9, 6, List.of(node(3), node(4), node(5)),
        List.of(node(3), node(6)), List.of(node(3), node(5)), 4);
    byte[] both = new GroupTerms(-9223372036854775536L, List.of(later, first)).toBytes();
    RecordFile.of("update-terms", "trusted." + TermRecord.TERMS_XATTR
        + " of the directory of a block group's records",
        bytes -> GroupTerms.parse(bytes).toBytes())
        .record("of no unit", GroupTerms.NONE.toBytes())
        .record("of a first term", new GroupTerms(-1600, List.of(first)).toBytes())
        .record("of two units", both)
        .given("of a later version", with(0, 4, both))
        .given("of a version that knew no heirs", withoutHeirs(both))
        .given("a byte too long", longer(both))
        .check();
    assertEquals("hdfs-ppr.terms", TermRecord.TERMS_XATTR);
  }

  /** The heirs of a unit are its last eight bytes. */
  private static byte[] withoutHeirs(byte[] terms) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(terms.length).put((byte) 2)
        .put(terms, 1, Long.BYTES + 1);
    int at = out.position();
    for (UnitTerm unit : GroupTerms.parse(terms).all()) {
      int length = 1 + 3 * Long.BYTES + 2
          + (unit.holders.size() + unit.history.size()) * (2 + node(0).length());
      out.put(terms, at, length);
      at += length + Long.BYTES;
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  /** The store opens all sealed records but the tag, whose readers have the stored bytes. */
  @Test
  void sealedTagsAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.UPDATE_TAG,
        bytes -> UpdateTag.parse(bytes, "/f").toBytes(),
        Map.of("of a file", new UpdateTag(FILE, INODE, 7).toBytes()));
  }

  @Test
  void sealedCommitsAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.COMMITS, bytes -> CommitRecord.parse(
        SealedRecord.open(SealedKind.COMMITS, bytes)).toBytes(),
        Map.of("in the eighth commit", new CommitRecord(9, 7).toBytes()));
  }

  @Test
  void sealedTermsAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.TERMS, bytes -> GroupTerms.parse(
        SealedRecord.open(SealedKind.TERMS, bytes)).toBytes(), Map.of("of a unit", terms()));
  }

  @Test
  void sealedInodesAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    long directory = namespace.make(FILE);
    SealedRecordFile.check(SealedKind.FILE, bytes -> {
      namespace.set(directory, UpdateNamespace.FILE_XATTR,
          SealedRecord.open(SealedKind.FILE, bytes));
      List<Long> inodes = records.inodes(FILE);
      return RecordedFile.of(inodes.get(0), inodes.get(1));
    }, Map.of("behind a commit", RecordedFile.of(16_395, INODE)));
  }

  @Test
  void sealedFirstInodesAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    long directory = namespace.make(FILE);
    SealedRecordFile.check(SealedKind.FIRST_INODE, bytes -> {
      namespace.set(directory, FileRecords.FIRST_XATTR,
          SealedRecord.open(SealedKind.FIRST_INODE, bytes));
      List<Long> inodes = List.copyOf(
          records.identity(new UpdateTag(FILE, Long.MAX_VALUE, 1)).inodes);
      return number(inodes.get(0));
    }, Map.of("of a file", number(INODE)));
  }

  @Test
  void sealedFilesThatAreGoneAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    long directory = namespace.make(FILE);
    SealedRecordFile.check(SealedKind.GONE_SINCE, bytes -> {
      namespace.set(directory, FileRecords.GONE_XATTR,
          SealedRecord.open(SealedKind.GONE_SINCE, bytes));
      return number(records.goneSince(FILE).getAsLong());
    }, Map.of("of a file", number(1_767_225_600_000L)));
  }

  @Test
  void sealedLatestTermsAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.LATEST_TERM, bytes -> {
      namespace.set(namespace.root(), TermRecord.LATEST_XATTR,
          SealedRecord.open(SealedKind.LATEST_TERM, bytes));
      return number(TermRecord.read(namespace, namespace, FILE, 0).nextTerm() - 1);
    }, Map.of("behind three hundred terms", number(300)));
  }

  private static byte[] terms() {
    return new GroupTerms(-1600, List.of(new UnitTerm(0, 1, 0, List.of(node(1), node(2)),
        List.of(), List.of(node(1), node(2)), 1))).toBytes();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** These readers are those of 0.2.0: they refuse sealed records, and name the attribute. */
  @Test
  void release020TakesSealedRecordsForLaterOnes() {
    FileRecords records = new FileRecords(namespace, namespace);
    long directory = namespace.make(FILE);
    String newer = "a newer hdfs-ppr may have written";
    assertRefused(newer, () -> GroupTerms.parse(
        SealedRecord.seal(SealedKind.TERMS, terms())));
    assertRefused(newer, () -> CommitRecord.parse(
        SealedRecord.seal(SealedKind.COMMITS, CommitRecord.none().toBytes())));
    namespace.set(directory, UpdateNamespace.FILE_XATTR,
        SealedRecord.seal(SealedKind.FILE, number(INODE)));
    assertRefused("trusted.hdfs-ppr.file of /.hdfs-ppr/updates/" + FILE,
        () -> records.inodes(FILE));
    namespace.set(directory, UpdateNamespace.FILE_XATTR,
        SealedRecord.seal(SealedKind.FILE, RecordedFile.of(16_395, INODE)));
    assertRefused(newer, () -> records.inodes(FILE));
    namespace.set(directory, FileRecords.GONE_XATTR,
        SealedRecord.seal(SealedKind.GONE_SINCE, number(INODE)));
    assertRefused(newer, () -> records.goneSince(FILE));
    namespace.set(directory, FileRecords.FIRST_XATTR,
        SealedRecord.seal(SealedKind.FIRST_INODE, number(INODE)));
    assertRefused(newer, () -> records.identity(new UpdateTag(FILE, INODE, 1)));
    namespace.set(namespace.root(), TermRecord.LATEST_XATTR,
        SealedRecord.seal(SealedKind.LATEST_TERM, number(300)));
    assertRefused(newer, () -> TermRecord.read(namespace, namespace, FILE, 0).nextTerm());
    // 0.2.0 refuses a tag of another length.
    byte[] tag = new UpdateTag(FILE, INODE, 7).toBytes();
    assertNotEquals(tag.length, SealedRecord.seal(SealedKind.UPDATE_TAG, tag).length);
  }

  private static void assertRefused(String words, Executable reader) {
    IOException e = assertThrows(IOException.class, reader);
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void filesAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    records.tag(new UpdateTag(FILE, INODE, 0));
    long directory = namespace.make(FILE);
    RecordFile.of("update-file", "trusted." + UpdateNamespace.FILE_XATTR
        + " of the directory of a file's records",
        bytes -> {
          namespace.set(directory, UpdateNamespace.FILE_XATTR, bytes);
          List<Long> inodes = records.inodes(FILE);
          return inodes.size() == 2 ? RecordedFile.of(inodes.get(0), inodes.get(1))
              : ByteBuffer.allocate(Long.BYTES).putLong(inodes.get(0)).array();
        })
        .record("with the file's inode", after(directory, UpdateNamespace.FILE_XATTR))
        .record("behind a commit", RecordedFile.of(16_395, INODE))
        .given("of a later version", longer(RecordedFile.of(16_395, INODE)))
        .check();
    assertEquals("hdfs-ppr.file", UpdateNamespace.FILE_XATTR);
    assertEquals("hdfs-ppr.file", RecordedFile.XATTR);
    assertEquals("/.hdfs-ppr/updates", UpdateNamespace.ROOT);
  }

  @Test
  void firstInodesAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    records.tag(new UpdateTag(FILE, INODE, 0));
    long directory = namespace.make(FILE);
    RecordFile.of("update-first-inode", "trusted." + FileRecords.FIRST_XATTR
        + " of the directory of a file's records",
        bytes -> {
          namespace.set(directory, FileRecords.FIRST_XATTR, bytes);
          List<Long> inodes = List.copyOf(
              records.identity(new UpdateTag(FILE, Long.MAX_VALUE, 1)).inodes);
          return ByteBuffer.allocate(Long.BYTES).putLong(inodes.get(0)).array();
        })
        .record("of a file", after(directory, FileRecords.FIRST_XATTR))
        .given("of a later version", longer(after(directory, FileRecords.FIRST_XATTR)))
        .check();
    assertEquals("hdfs-ppr.first-inode", FileRecords.FIRST_XATTR);
  }

  @Test
  void filesThatAreGoneAreAsRecorded() throws IOException {
    FileRecords records = new FileRecords(namespace, namespace);
    long directory = namespace.make(FILE);
    records.gone(FILE, 1_767_225_600_000L);
    RecordFile.of("update-gone-since", "trusted." + FileRecords.GONE_XATTR
        + " of the directory of a file's records",
        bytes -> {
          namespace.set(directory, FileRecords.GONE_XATTR, bytes);
          return ByteBuffer.allocate(Long.BYTES).putLong(records.goneSince(FILE).getAsLong())
              .array();
        })
        .record("of a file", after(directory, FileRecords.GONE_XATTR))
        .given("of a later version", longer(after(directory, FileRecords.GONE_XATTR)))
        .check();
    assertEquals("hdfs-ppr.gone-since", FileRecords.GONE_XATTR);
  }

  /** A term is written, and read again as the one behind which the next term comes. */
  @Test
  void latestTermsAreAsRecorded() throws IOException {
    RecordFile.of("update-latest-term", "trusted." + TermRecord.LATEST_XATTR + " of "
        + UpdateNamespace.ROOT,
        bytes -> {
          namespace.set(namespace.root(), TermRecord.LATEST_XATTR, bytes);
          long next = TermRecord.read(namespace, namespace, FILE, 0).nextTerm();
          return ByteBuffer.allocate(Long.BYTES).putLong(next - 1).array();
        })
        .record("behind the first term", afterTerms(1))
        .record("behind three hundred terms", afterTerms(299))
        .given("of a later version", new byte[9])
        .check();
    assertEquals("hdfs-ppr.latest-term", TermRecord.LATEST_XATTR);
  }

  private byte[] afterTerms(int more) throws IOException {
    for (int i = 0; i < more; i++) {
      TermRecord record = TermRecord.read(namespace, namespace, FILE, 0);
      long term = record.nextTerm();
      record.change(new UnitTerm(0, term, term - 1, List.of("a"), List.of(), List.of("a"), 1));
      record.write(-1600);
    }
    return after(namespace.root(), TermRecord.LATEST_XATTR);
  }

  /** The attribute of a directory with files that may be updated has one of these words. */
  @Test
  void wordsOfUpdatableDirectoriesAreAsRecorded() {
    assertEquals("hdfs-ppr.updatable", UpdateNamespace.UPDATABLE_XATTR);
    assertEquals("true", UpdateNamespace.UPDATABLE);
    assertEquals("cau collect parix baseline delta-log",
        String.join(" ", CommitWays.STRATEGIES));
    // 0.2.0 writes these, and two that commits take for another one now.
    assertEquals("cau cau cau collect parix baseline delta-log", Stream.of("cau", "parity-delta",
        "data-delta", "collect", "parix", "baseline", "delta-log").map(word ->
        RemovedValues.current(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY, word))
        .collect(Collectors.joining(" ")));
  }

  private static final String PENDING = "ea9611fa-184a-439a-9d2c-e8dfa4b8ba1a";
  private static final String COMMITTED = "869e9380-e01e-4853-be35-74df83cd8aca";
  private static final String COMMITTING = "11cb7be7-16b1-456f-8a0a-aae5cec29c99";
  private static final String GONE = "f3ca4068-ba7c-4f3a-b519-ad3deb5d96a8";
  private static final String OBJECT = "fc0277d8-7009-4bed-8447-0c1f1ec767d7";

  @Test
  void tagsOfRelease020AreRead() throws IOException {
    Map<String, String> read = new TreeMap<>();
    for (Map.Entry<String, byte[]> one : RecordFile.of020(UpdateTag.XATTR,
        bytes -> UpdateTag.parse(bytes, "").toBytes()).entrySet()) {
      UpdateTag tag = UpdateTag.parse(one.getValue(), one.getKey());
      read.put(one.getKey(), tag.file + " " + tag.inodeId + " " + tag.committed);
    }
    assertEquals(Map.of("/images/pending", PENDING + " 16387 0",
        "/images/committed", COMMITTED + " 16400 1",
        "/images/committing", COMMITTING + " 16389 0",
        "/images/disk/object-0000000", OBJECT + " 16449 0"), read);
  }

  @Test
  void commitsOfRelease020AreRead() throws IOException {
    Map<String, byte[]> left = RecordFile.of020(CommitRecord.XATTR,
        bytes -> CommitRecord.parse(bytes).toBytes());
    assertEquals(2, left.size());
    assertEquals(new CommitRecord(2, 1), CommitRecord.parse(left.get(folder(COMMITTED))));
    assertEquals(new CommitRecord(2, 0), CommitRecord.parse(left.get(folder(COMMITTING))));
  }

  private static String folder(String file) {
    return UpdateNamespace.ROOT + "/" + file;
  }

  private static String say(UnitTerm term) {
    return term.unit + ": " + term.term + " after " + term.previous + ", epoch "
        + term.epoch + ", " + shortened(term.holders) + " " + shortened(term.history) + " "
        + shortened(term.heirs);
  }

  private static String shortened(List<String> uuids) {
    return uuids.stream().map(uuid -> uuid.substring(0, 2)).collect(Collectors.joining(","));
  }

  @Test
  void termsOfRelease020AreRead() throws IOException {
    List<String> read = new ArrayList<>();
    for (Map.Entry<String, byte[]> one : RecordFile.of020(TermRecord.TERMS_XATTR,
        bytes -> GroupTerms.parse(bytes).toBytes()).entrySet()) {
      GroupTerms terms = GroupTerms.parse(one.getValue());
      read.add(one.getKey() + " " + terms.blockGroup);
      terms.all().forEach(term -> read.add(say(term)));
    }
    assertEquals(List.of(
        folder(COMMITTING) + "/0 -9223372036854775760",
        "0: 16 after 13, epoch 2, 95,24 24,95 95,24",
        "1: 17 after 0, epoch 2, 59,24 24,59 59,24",
        "2: 18 after 0, epoch 2, ee,24 24,ee ee,24",
        folder(COMMITTED) + "/0 -9223372036854775776",
        "0: 7 after 4, epoch 2, 4e,3f 3f,4e 4e,3f",
        "1: 8 after 0, epoch 2, 3b,3f 3b,3f 3b,3f",
        "2: 9 after 0, epoch 2, 47,3f 3f,47 47,3f",
        folder(PENDING) + "/0 -9223372036854775792",
        "0: 1 after 0, epoch 1, 24,ee  24,ee",
        "1: 2 after 0, epoch 1, 47,ee  47,ee",
        "2: 3 after 0, epoch 1, 95,ee  95,ee",
        folder(GONE) + "/0 -9223372036854775744",
        "0: 10 after 0, epoch 1, 95,59  95,59",
        "1: 11 after 0, epoch 1, 81,59  81,59",
        "2: 12 after 0, epoch 1, 3b,59  3b,59",
        folder(OBJECT) + "/0 -9223372036854775456",
        "0: 19 after 0, epoch 1, 95,4e  95,4e",
        "1: 25 after 20, epoch 1, 4e,96 4e 4e",
        "2: 21 after 0, epoch 1, 3b,4e  3b,4e",
        "3: 22 after 0, epoch 1, 3f,4e  3f,4e",
        "4: 23 after 0, epoch 1, 81,4e  81,4e",
        "5: 24 after 0, epoch 1, 24,4e  24,4e"), read);
  }

  /** The records of a file, put back as they were. */
  @Test
  void filesOfRelease020AreRead() throws IOException {
    List<String> names = List.of(UpdateNamespace.FILE_XATTR, FileRecords.FIRST_XATTR,
        FileRecords.GONE_XATTR);
    Map<String, String> read = new TreeMap<>();
    for (String file : List.of(PENDING, COMMITTED, COMMITTING, GONE, OBJECT)) {
      UUID uuid = UUID.fromString(file);
      for (String name : names) {
        byte[] bytes = RecordFile.of020(name, same -> same).get(folder(file));
        if (bytes != null) {
          namespace.set(namespace.make(uuid), name, bytes);
        }
      }
      FileRecords records = new FileRecords(namespace, namespace);
      read.put(file, records.inodes(uuid) + " "
          + records.identity(new UpdateTag(uuid, 1, 1)).inodes + " "
          + records.goneSince(uuid).orElse(0));
    }
    assertEquals(Map.of(PENDING, "[16387] [1, 16387] 0",
        COMMITTED, "[16400, 16388] [1, 16388] 0",
        COMMITTING, "[16389] [1, 16389] 0",
        GONE, "[16390] [1, 16390] 1796013439068",
        OBJECT, "[16449] [1, 16449] 0"), read);
  }

  @Test
  void otherRecordsOfRelease020AreRead() throws IOException {
    byte[] latest = RecordFile.of020(TermRecord.LATEST_XATTR, same -> same)
        .get(UpdateNamespace.ROOT);
    namespace.set(namespace.root(), TermRecord.LATEST_XATTR, latest);
    assertEquals(26, TermRecord.read(namespace, namespace, FILE, 0).nextTerm());
    Map<String, String> updatable = new TreeMap<>();
    RecordFile.of020(UpdateNamespace.UPDATABLE_XATTR, same -> same).forEach((path, bytes) ->
        updatable.put(path, new String(bytes, StandardCharsets.UTF_8)));
    assertEquals(Map.of("/images", "collect", "/images/disk", "true", "/plain", "true"),
        updatable);
  }
}
