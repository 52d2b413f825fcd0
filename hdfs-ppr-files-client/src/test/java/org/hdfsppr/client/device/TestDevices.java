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
package org.hdfsppr.client.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.client.device.HdfsDevices.FileDevice;
import org.hdfsppr.client.device.HdfsDevices.ObjectsDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests devices over files that lose what was not synced. */
@Timeout(120)
class TestDevices {
  private static final int OBJECT = 1000;
  private static final int SIZE = 7 * OBJECT + 300;

  /** Objects of a device, which stay when they are closed. */
  private static final class Objects {
    private final DeviceLayout layout = new DeviceLayout(SIZE, OBJECT);
    private final List<LossyBytes> files = new ArrayList<>();
    private final Set<Integer> refused = new HashSet<>();
    private final AtomicLong clock = new AtomicLong();
    private int opened;

    Objects() {
      for (int i = 0; i < layout.objects(); i++) {
        files.add(new LossyBytes((int) layout.bytesOf(i)));
      }
    }

    synchronized UpdatableBytes open(int object) throws IOException {
      if (refused.contains(object)) {
        throw new IOException("object " + object + " is refused");
      }
      opened++;
      return files.get(object).handle();
    }

    ObjectsDevice device(int openMost) {
      return new ObjectsDevice(layout, false, this::open, openMost, clock::get);
    }

    void losePower() {
      files.forEach(LossyBytes::losePower);
    }
  }

  private static byte[] read(BlockDevice device, long offset, int length) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    device.read(offset, into);
    assertFalse(into.hasRemaining());
    return into.array();
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void layoutsAreRoundedToStripes() {
    DeviceLayout layout = DeviceLayout.rounded(10L << 30, 64 << 20, 6 << 20);
    assertEquals(66 << 20, layout.objectBytes);
    assertEquals(10242L << 20, layout.size);
    assertEquals(156, layout.objects());
    assertEquals(12L << 20, layout.bytesOf(155));
    assertEquals(66L << 20, layout.bytesOf(154));
    assertEquals(1, new DeviceLayout(OBJECT, OBJECT).objects());
    assertEquals(2, new DeviceLayout(OBJECT + 1, OBJECT).objects());
    assertThrows(IllegalArgumentException.class, () -> DeviceLayout.rounded(0, 1, 1));
    assertThrows(IllegalArgumentException.class,
        () -> DeviceLayout.rounded(Long.MAX_VALUE, 1, 1024));
    assertThrows(IllegalArgumentException.class, () -> DeviceLayout.rounded(1L << 40, 1, 1024));
  }

  @Test
  void objectsHaveNames() {
    assertEquals("object-0000012", DeviceLayout.nameOf(12));
    assertEquals(12, DeviceLayout.objectOf("object-0000012"));
    for (String name : new String[] {"object-12", "object-", "object--000012", "_device",
        "object-99999999999", "object-0000012x"}) {
      assertEquals(-1, DeviceLayout.objectOf(name), name);
    }
  }

  @Test
  void recordsAreChecked() throws Exception {
    DeviceLayout layout = new DeviceLayout(SIZE, OBJECT);
    assertEquals(layout.toString(),
        DeviceRecord.decode(DeviceRecord.encode(layout)).toString());
    for (String wrong : new String[] {"", "[]", "{}", "nothing", "{\"format\":1}",
        "{\"format\":2,\"size\":1,\"object\":1}", "{\"format\":1,\"size\":0,\"object\":1}",
        "{\"format\":1,\"size\":\"x\",\"object\":1}", "{\"format\":1,\"size\":9,\"object\":-1}"}) {
      assertThrows(IOException.class, () -> DeviceRecord.decode(wrong.getBytes()), wrong);
    }
  }

  @Test
  void randomRangesOfObjects() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestDevices: -Dseed=" + seed);
    Random random = new Random(seed);
    Objects objects = new Objects();
    byte[] expected = new byte[SIZE];
    try (ObjectsDevice device = objects.device(3)) {
      assertEquals(SIZE, device.size());
      for (int i = 0; i < 3000; i++) {
        int offset = random.nextInt(SIZE);
        int length = 1 + random.nextInt(random.nextBoolean() ? Math.min(SIZE - offset, 50)
            : SIZE - offset);
        switch (random.nextInt(4)) {
          case 0:
            byte[] data = new byte[length];
            random.nextBytes(data);
            ByteBuffer from = ByteBuffer.wrap(data);
            device.write(offset, from);
            assertFalse(from.hasRemaining());
            System.arraycopy(data, 0, expected, offset, length);
            break;
          case 1:
            device.zero(offset, length);
            Arrays.fill(expected, offset, offset + length, (byte) 0);
            break;
          case 2:
            device.persist(offset, length);
            break;
          default:
            assertArrayEquals(Arrays.copyOfRange(expected, offset, offset + length),
                read(device, offset, length));
        }
      }
      device.flush();
      objects.losePower();
      assertArrayEquals(expected, read(device, 0, SIZE));
    }
    assertTrue(objects.opened > 100, "objects were opened " + objects.opened + " times");
  }

  /** An object that is closed, because there are too many, loses nothing. */
  @Test
  void closedObjectsAreOnDisks() throws Exception {
    Objects objects = new Objects();
    try (ObjectsDevice device = objects.device(2)) {
      device.write(0, ByteBuffer.wrap(filled(OBJECT, 1)));
      device.write(OBJECT, ByteBuffer.wrap(filled(OBJECT, 2)));
      read(device, 2 * OBJECT, 1);
      read(device, 3 * OBJECT, 1);
      assertEquals(0, objects.files.get(0).handles());
      assertEquals(0, objects.files.get(1).handles());
      assertEquals(1, objects.files.get(3).handles());
      objects.losePower();
      assertArrayEquals(filled(OBJECT, 1), read(device, 0, OBJECT));
      assertArrayEquals(filled(OBJECT, 2), read(device, OBJECT, OBJECT));
    }
    objects.files.forEach(file -> assertEquals(0, file.handles()));
  }

  @Test
  void whatWasNotFlushedIsLost() throws Exception {
    Objects objects = new Objects();
    try (ObjectsDevice device = objects.device(10)) {
      device.write(0, ByteBuffer.wrap(filled(SIZE, 1)));
      device.persist(OBJECT, 1);
      objects.losePower();
      assertArrayEquals(filled(OBJECT, 0), read(device, 0, OBJECT));
      assertArrayEquals(filled(OBJECT, 1), read(device, OBJECT, OBJECT));
      assertArrayEquals(filled(OBJECT, 0), read(device, 2 * OBJECT, OBJECT));
    }
  }

  /** A write that returns while a sync runs is not covered by it, and is due for the next one. */
  @Test
  void aSyncThatRunsDoesNotCoverLaterWrites() throws Exception {
    LossyBytes file = new LossyBytes(OBJECT);
    try (FileDevice device = new FileDevice(file, false)) {
      device.write(0, ByteBuffer.wrap(filled(1, 1)));
      file.duringSync(() -> {
        file.duringSync(() -> { });
        try {
          device.write(1, ByteBuffer.wrap(filled(1, 2)));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      device.flush();
      device.flush();
      file.losePower();
      assertArrayEquals(new byte[] {1, 2}, read(device, 0, 2));
      assertEquals(2, file.syncs());
      device.flush();
      assertEquals(2, file.syncs());
    }
  }

  @Test
  void callersShareSyncs() throws Exception {
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    LossyBytes file = new LossyBytes(OBJECT);
    FileDevice device = new FileDevice(file, false);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      device.write(0, ByteBuffer.wrap(filled(1, 1)));
      file.duringSync(() -> {
        isRunning.countDown();
        try {
          mayEnd.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      List<Future<?>> waiting = new ArrayList<>();
      waiting.add(threads.submit(() -> {
        device.flush();
        return null;
      }));
      isRunning.await();
      device.write(1, ByteBuffer.wrap(filled(1, 2)));
      Set<Thread> flushing = java.util.concurrent.ConcurrentHashMap.newKeySet();
      for (int i = 0; i < 20; i++) {
        waiting.add(threads.submit(() -> {
          flushing.add(Thread.currentThread());
          device.flush();
          return null;
        }));
      }
      while (flushing.size() < 20 || !flushing.stream().allMatch(
          thread -> thread.getState() == Thread.State.WAITING)) {
        Thread.sleep(1);
      }
      mayEnd.countDown();
      for (Future<?> one : waiting) {
        one.get(60, TimeUnit.SECONDS);
      }
      // The first one, and one for all that came while it ran.
      assertEquals(2, file.syncs());
      file.losePower();
      assertArrayEquals(new byte[] {1, 2}, read(device, 0, 2));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void zeroesAreWrittenWhereThereAreNone() throws Exception {
    LossyBytes file = new LossyBytes(5 << 20);
    try (FileDevice device = new FileDevice(file, false)) {
      device.zero(0, 5 << 20);
      assertEquals(0, file.writes());
      device.write((3 << 20) + 5, ByteBuffer.wrap(filled(10, 7)));
      device.zero(100, (4 << 20) - 100);
      assertEquals(2, file.writes());
      assertArrayEquals(new byte[5 << 20], read(device, 0, 5 << 20));
    }
  }

  @Test
  void failuresReachCallers() throws Exception {
    Objects objects = new Objects();
    try (ObjectsDevice device = objects.device(2)) {
      objects.refused.add(1);
      assertThrows(IOException.class, () -> read(device, OBJECT - 1, 2));
      objects.refused.clear();
      read(device, OBJECT - 1, 2);
      device.write(0, ByteBuffer.wrap(filled(1, 1)));
      device.write(OBJECT, ByteBuffer.wrap(filled(1, 1)));
      objects.files.get(1).fail(new IOException("the disk is gone"));
      assertThrows(IOException.class, device::flush);
      assertThrows(IOException.class, () -> device.persist(OBJECT, 1));
      // Other objects go on, and the one that fails is not closed and forgotten.
      for (int i = 2; i < 7; i++) {
        device.write(i * OBJECT, ByteBuffer.wrap(filled(1, 1)));
      }
      assertThrows(IOException.class, device::flush);
      objects.files.get(1).fail(null);
      device.flush();
      objects.losePower();
      assertArrayEquals(filled(1, 1), read(device, OBJECT, 1));
    }
  }

  /** A server that ends without a flush leaves writes, which the first flush of the next covers. */
  @Test
  void theFirstFlushCoversWritesOfAnEarlierServer() throws Exception {
    Objects objects = new Objects();
    try (ObjectsDevice earlier = objects.device(10)) {
      earlier.write(0, ByteBuffer.wrap(filled(SIZE, 1)));
    }
    try (ObjectsDevice device = objects.device(3)) {
      read(device, 0, 1);
      device.flush();
      objects.losePower();
      assertArrayEquals(filled(SIZE, 1), read(device, 0, SIZE));
      List<Integer> before = syncs(objects);
      device.flush();
      device.persist(0, SIZE);
      assertEquals(before, syncs(objects), "what is on disks costs no further syncs");
    }
    LossyBytes file = new LossyBytes(10);
    try (FileDevice earlier = new FileDevice(file, false)) {
      earlier.write(0, ByteBuffer.wrap(filled(10, 1)));
    }
    try (FileDevice device = new FileDevice(file, false)) {
      device.persist(0, 1);
      file.losePower();
      assertArrayEquals(filled(10, 1), read(device, 0, 10));
    }
  }

  private static List<Integer> syncs(Objects objects) {
    return objects.files.stream().map(LossyBytes::syncs)
        .collect(java.util.stream.Collectors.toList());
  }

  @Test
  void aFirstFlushThatFailsIsTriedAgain() throws Exception {
    Objects objects = new Objects();
    objects.files.get(6).write(0, ByteBuffer.wrap(filled(1, 1)));
    try (ObjectsDevice device = objects.device(3)) {
      objects.refused.add(6);
      assertThrows(IOException.class, device::flush);
      assertThrows(IOException.class, device::flush);
      objects.refused.clear();
      device.flush();
      objects.losePower();
      assertArrayEquals(filled(1, 1), read(device, 6 * OBJECT, 1));
    }
  }

  @Test
  void aDeviceForReadingOpensNothingForAFlush() throws Exception {
    Objects objects = new Objects();
    try (ObjectsDevice device = new ObjectsDevice(objects.layout, true, objects::open, 3,
        objects.clock::get)) {
      device.flush();
      assertEquals(0, objects.opened);
    }
  }

  /** Zeroes that are there already may be those of a writer that has not synced them. */
  @Test
  void zeroesThatAreThereAreSyncedToo() throws Exception {
    LossyBytes file = new LossyBytes(10);
    try (FileDevice device = new FileDevice(file, false)) {
      device.write(0, ByteBuffer.wrap(filled(10, 1)));
      device.flush();
      file.write(0, ByteBuffer.wrap(new byte[10]));
      device.zero(0, 10);
      device.flush();
      file.losePower();
      assertArrayEquals(new byte[10], read(device, 0, 10));
    }
  }

  /** Zeroes that a read finds after a write that has failed may not be what later reads find. */
  @Test
  void zeroesAreWrittenAfterAWriteThatHasFailed() throws Exception {
    LossyBytes file = new LossyBytes(OBJECT);
    try (FileDevice device = new FileDevice(file, false)) {
      device.zero(0, OBJECT);
      assertEquals(0, file.writes());
      file.fail(new IOException("no node"));
      assertThrows(IOException.class, () -> device.write(0, ByteBuffer.wrap(filled(10, 1))));
      file.fail(null);
      device.zero(0, OBJECT);
      assertEquals(1, file.writes());
    }
  }

  @Test
  void shortReadsAreFailures() throws Exception {
    UpdatableBytes brief = new LossyBytes(OBJECT) {
      @Override
      public void read(long position, ByteBuffer into) {
        into.put((byte) 0);
      }
    };
    try (FileDevice file = new FileDevice(brief, false);
        ObjectsDevice objects = new ObjectsDevice(new DeviceLayout(OBJECT, OBJECT), false,
            object -> brief, 1, () -> 0)) {
      for (BlockDevice device : List.of(file, objects)) {
        assertThrows(EOFException.class, () -> device.read(0, ByteBuffer.allocate(2)));
      }
    }
  }

  /** An object whose sync has failed is closed later, once a sync succeeds. */
  @Test
  void objectsAreClosedAfterAFailureIsOver() throws Exception {
    for (boolean isFlushed : new boolean[] {false, true}) {
      Objects objects = new Objects();
      try (ObjectsDevice device = objects.device(1)) {
        device.write(0, ByteBuffer.wrap(filled(1, 1)));
        objects.files.get(0).fail(new IOException("the disk is gone"));
        read(device, OBJECT, 1);
        assertEquals(1, objects.files.get(0).handles());
        objects.files.get(0).fail(null);
        read(device, 2 * OBJECT, 1);
        assertEquals(1, objects.files.get(0).handles(), "the next try comes later");
        if (isFlushed) {
          device.persist(0, 1);
        } else {
          objects.clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
        }
        read(device, 3 * OBJECT, 1);
        assertEquals(0, objects.files.get(0).handles());
        objects.losePower();
        assertArrayEquals(filled(1, 1), read(device, 0, 1));
      }
    }
  }

  @Test
  void anObjectThatIsOpenedWhileTheDeviceIsClosedIsClosedToo() throws Exception {
    LossyBytes file = new LossyBytes(OBJECT);
    ObjectsDevice[] device = new ObjectsDevice[1];
    device[0] = new ObjectsDevice(new DeviceLayout(OBJECT, OBJECT), false, object -> {
      device[0].close();
      return file.handle();
    }, 1, () -> 0);
    assertEquals("The device is closed",
        assertThrows(IOException.class, () -> read(device[0], 0, 1)).getMessage());
    assertEquals(0, file.handles());
  }

  /** What has returned before a flush began is on disks when it has ended, with many threads. */
  @Test
  void flushesCoverWritesOfAllThreads() throws Exception {
    int threads = 4;
    int slots = SIZE / 100;
    Objects objects = new Objects();
    AtomicIntegerArray returned = new AtomicIntegerArray(slots);
    AtomicIntegerArray onDisk = new AtomicIntegerArray(slots);
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService pool = Executors.newCachedThreadPool();
    try (ObjectsDevice device = objects.device(3)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread;
        all.add(pool.submit(() -> {
          for (int version = 1; !isOver.get(); version++) {
            for (int slot = first; slot < slots; slot += threads) {
              ByteBuffer bytes = ByteBuffer.allocate(4).putInt(0, version);
              device.write(slot * 100L, bytes);
              returned.set(slot, version);
            }
          }
          return null;
        }));
      }
      for (int thread = 0; thread < 3; thread++) {
        int kind = thread;
        all.add(pool.submit(() -> {
          for (int i = 0; i < 300; i++) {
            int from = kind < 2 ? 0 : i % slots;
            int to = kind < 2 ? slots : from + 1;
            int[] before = new int[slots];
            for (int slot = from; slot < to; slot++) {
              before[slot] = returned.get(slot);
            }
            if (kind < 2) {
              device.flush();
            } else {
              device.persist(from * 100L, 4);
            }
            for (int slot = from; slot < to; slot++) {
              onDisk.accumulateAndGet(slot, before[slot], Math::max);
            }
          }
          return null;
        }));
      }
      for (Future<?> one : all.subList(threads, all.size())) {
        one.get();
      }
      isOver.set(true);
      for (Future<?> one : all) {
        one.get();
      }
      objects.losePower();
      for (int slot = 0; slot < slots; slot++) {
        int found = ByteBuffer.wrap(read(device, slot * 100L, 4)).getInt();
        assertTrue(found >= onDisk.get(slot) && found <= returned.get(slot),
            "slot " + slot + " has " + found + ", " + onDisk.get(slot) + " was flushed");
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
