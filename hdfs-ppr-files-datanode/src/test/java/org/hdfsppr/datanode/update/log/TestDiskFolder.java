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
package org.hdfsppr.datanode.update.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.DiskLog.DiskFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the real disk, and a log on it. */
@InterfaceAudience.Private
class TestDiskFolder {
  @TempDir
  Path directory;

  @Test
  void filesKeepWhatWasWritten() throws IOException {
    DiskFolder folder = DiskFolder.open(directory.resolve("a/b"));
    try (LogFile file = folder.create("x")) {
      file.write(0, new byte[] {1, 2, 3, 4});
      file.write(2, new byte[] {7, 8, 9});
      file.sync();
      assertEquals(5, file.length());
      byte[] read = new byte[4];
      file.read(1, read, 1, 3);
      assertArrayEquals(new byte[] {0, 2, 7, 8}, read);
      assertThrows(EOFException.class, () -> file.read(3, read, 0, 3));
      file.truncate(3);
      assertEquals(3, file.length());
    }
    folder.sync();
    assertThrows(FileAlreadyExistsException.class, () -> folder.create("x"));
    assertEquals(List.of("x"), folder.names());
    try (LogFile file = folder.open("x")) {
      assertEquals(3, file.length());
    }
    folder.delete("x");
    assertEquals(List.of(), folder.names());
    assertThrows(NoSuchFileException.class, () -> folder.open("x"));
    assertThrows(NoSuchFileException.class, () -> folder.delete("x"));
    assertTrue(assertThrows(IOException.class, () -> DiskFolder.open(directory.resolve("a/b")))
        .getMessage().contains("uses"));
    folder.close();
    DiskFolder.open(directory.resolve("a/b")).close();
  }

  @Test
  void folderIsForItsOwnerOnly() throws IOException {
    Path above = directory.resolve("above");
    Path folder = above.resolve("log");
    DiskFolder.open(folder).close();
    for (Path each : List.of(above, folder)) {
      assertEquals("rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
    }
    for (String wide : List.of("rwxr-xr-x", "rwx--x---", "rwx---r--")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(wide));
      DiskFolder.open(folder).close();
      assertEquals("rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)), wide);
    }
  }

  @Test
  void namesOfNewFoldersAreToBeSynced() throws IOException {
    Path first = directory.resolve("1");
    Path second = first.resolve("2");
    Path third = second.resolve("3");
    assertEquals(List.of(directory, first, second), DiskFolder.make(third));
    // A process may have ended before it synced the name of the last one.
    assertEquals(List.of(second), DiskFolder.make(third));
  }

  @Test
  void interruptsDoNotCloseFiles() throws IOException {
    try (UpdateLog log = DiskLog.open(directory, LogLimits.of(LogLimits.BYTES_MIN))) {
      Thread.currentThread().interrupt();
      LogBed.begin(log, LogBed.UNIT, 1);
      LogEntry entry = log.append(LogBed.UNIT, 1, 1, 0, LogBed.data(1, 100));
      log.sync(LogBed.WAIT_MS);
      assertTrue(Thread.interrupted(), "the interrupt is kept");
      try (DiskFolder folder = DiskFolder.open(directory.resolve("other"))) {
        Thread.currentThread().interrupt();
        folder.sync();
      }
      assertArrayEquals(LogBed.data(1, 100).array(), log.read(entry));
      assertTrue(Thread.interrupted(), "the interrupt is kept");
    }
  }

  @Test
  void logOnADiskIsOpenedAgain() throws IOException {
    Path folder = directory.resolve("log");
    try (UpdateLog log = DiskLog.open(folder, LogLimits.of(LogLimits.BYTES_MIN))) {
      LogBed.begin(log, LogBed.UNIT, 1);
      // 16 times 4 MiB would not fit, and a trim makes room.
      for (int i = 0; i < 16; i++) {
        log.append(LogBed.UNIT, 1, i + 1, 0, LogBed.data(i, 4 << 20));
        log.trim(LogBed.FILE, Math.max(1, i - 1));
      }
      log.sync(LogBed.WAIT_MS);
    }
    try (UpdateLog log = DiskLog.open(folder, LogLimits.of(LogLimits.BYTES_MIN))) {
      log.show(LogBed.UNIT, 16);
      byte[] block = new byte[100];
      log.overlay(LogBed.UNIT, 5000, ByteBuffer.wrap(block));
      byte[] expected = new byte[100];
      ByteBuffer data = LogBed.data(15, 4 << 20);
      data.position(5000);
      data.get(expected);
      assertArrayEquals(expected, block);
    }
  }

  @Test
  void bootIsThatOfTheMachine() throws IOException {
    Path file = directory.resolve("boot_id");
    AtomicLong random = new AtomicLong(5);
    assertEquals(5, MachineBoot.id(file, random::getAndIncrement));
    Files.writeString(file, "no uuid");
    assertEquals(6, MachineBoot.id(file, random::getAndIncrement));
    Files.writeString(file, "5ef3cf39-1a2b-4c5d-8e9f-0123456789ab\n");
    long boot = MachineBoot.id(file, random::getAndIncrement);
    assertEquals(boot, MachineBoot.id(file, random::getAndIncrement));
    Files.writeString(file, "5ef3cf39-1a2b-4c5d-8e9f-0123456789ac\n");
    assertNotEquals(boot, MachineBoot.id(file, random::getAndIncrement));
    assertEquals(7, random.get());
  }
}
