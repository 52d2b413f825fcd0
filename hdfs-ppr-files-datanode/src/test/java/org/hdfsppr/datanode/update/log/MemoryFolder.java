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

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A folder in memory that can lose what was not synced, and in which each call can fail. A loss of
 * power keeps any sectors of what was written since the last sync, and any names that were made or
 * removed since the folder's last sync. After a failed sync, what had to be written is still in
 * memory, but counts as written, as Linux has it.
 */
@InterfaceAudience.Private
final class MemoryFolder implements LogFolder {
  /** What a disk writes wholly or not at all, bytes. */
  private static final int SECTOR_BYTES = 512;
  private static final int NEVER = Integer.MAX_VALUE;

  private final Map<String, MemoryFile> names = new TreeMap<>();
  private final Map<String, MemoryFile> durableNames = new TreeMap<>();
  private int calls;
  private int failsAt = NEVER;
  private boolean failsTwice;
  private int syncs;
  private int open;
  private long bytesRead;
  private Runnable beforeSync = () -> { };

  /** Lets the next call but {@code after} fail once, or that one and the next. */
  synchronized void failAfter(int after, boolean twice) {
    failsAt = calls + after;
    failsTwice = twice;
  }

  /** Lets no further call fail; returns whether one has failed. */
  synchronized boolean heal() {
    boolean failed = failsAt != NEVER && calls > failsAt;
    failsAt = NEVER;
    return failed;
  }

  synchronized void beforeSync(Runnable action) {
    beforeSync = action;
  }

  /** Returns how often files were synced. */
  synchronized int syncs() {
    return syncs;
  }

  /** Returns how many files are open. */
  synchronized int open() {
    return open;
  }

  /** Returns how many bytes of files were read. */
  synchronized long bytesRead() {
    return bytesRead;
  }

  private synchronized void call(String what) throws IOException {
    int call = calls++;
    if (call == failsAt || failsTwice && call == failsAt + 1) {
      throw new IOException("Injected failure of call " + call + ", " + what);
    }
  }

  @Override
  public synchronized List<String> names() throws IOException {
    call("names");
    return new ArrayList<>(names.keySet());
  }

  @Override
  public synchronized LogFile create(String name) throws IOException {
    call("create");
    if (names.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    MemoryFile file = new MemoryFile();
    names.put(name, file);
    open++;
    return file;
  }

  @Override
  public synchronized LogFile open(String name) throws IOException {
    call("open");
    if (!names.containsKey(name)) {
      throw new NoSuchFileException(name);
    }
    open++;
    return names.get(name);
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    call("delete");
    if (names.remove(name) == null) {
      throw new NoSuchFileException(name);
    }
  }

  @Override
  public synchronized void sync() throws IOException {
    call("sync of the folder");
    durableNames.clear();
    durableNames.putAll(names);
  }

  @Override
  public void close() {
    // Each test has a folder of its own.
  }

  @Override
  public String toString() {
    return "memory";
  }

  /** Returns the bytes of a file, to look at and to change. */
  synchronized byte[] bytes(String name) {
    return names.get(name).content;
  }

  /** Puts bytes in the place of those of a file, as if they had been synced. */
  synchronized void put(String name, byte[] bytes) {
    MemoryFile file = new MemoryFile();
    file.content = bytes;
    file.durable = bytes.clone();
    names.put(name, file);
    durableNames.put(name, file);
  }

  synchronized String lastName() {
    return names.keySet().stream().reduce((a, b) -> b).get();
  }

  /** Returns a folder with the same bytes, all synced. */
  synchronized MemoryFolder copy() {
    MemoryFolder copy = new MemoryFolder();
    names.forEach((name, file) -> copy.put(name, file.content.clone()));
    return copy;
  }

  /** Returns what is left if all is lost that was not synced. */
  synchronized MemoryFolder afterTotalLoss() {
    MemoryFolder left = new MemoryFolder();
    durableNames.forEach((name, file) -> left.put(name, file.durable.clone()));
    return left;
  }

  /** Returns what a loss of power leaves. */
  synchronized MemoryFolder afterPowerLoss(Random random) {
    MemoryFolder left = new MemoryFolder();
    Set<String> all = new HashSet<>(names.keySet());
    all.addAll(durableNames.keySet());
    int keep = random.nextInt(3);
    for (String name : all) {
      boolean before = durableNames.containsKey(name);
      boolean now = names.containsKey(name);
      if (before && now || random.nextBoolean()) {
        MemoryFile file = now ? names.get(name) : durableNames.get(name);
        left.put(name, file.afterPowerLoss(random, keep));
      }
    }
    return left;
  }

  /** A file in memory. */
  private final class MemoryFile implements LogFile {
    private byte[] content = new byte[0];
    private byte[] durable = new byte[0];
    /** The number of the sync that has made these bytes durable; syncs may overtake each other. */
    private int durableBy;
    /** The bytes that no sync writes, because one has failed to. */
    private final BitSet lost = new BitSet();

    @Override
    public long length() {
      synchronized (MemoryFolder.this) {
        return content.length;
      }
    }

    @Override
    public void read(long position, byte[] into, int offset, int length) throws IOException {
      synchronized (MemoryFolder.this) {
        call("read");
        if (position + length > content.length) {
          throw new EOFException();
        }
        System.arraycopy(content, (int) position, into, offset, length);
        bytesRead += length;
      }
    }

    @Override
    public void write(long position, byte[] bytes) throws IOException {
      synchronized (MemoryFolder.this) {
        int done = bytes.length;
        try {
          call("write");
        } catch (IOException e) {
          done = bytes.length / 2;
          throw e;
        } finally {
          if (position + done > content.length) {
            content = Arrays.copyOf(content, (int) position + done);
          }
          System.arraycopy(bytes, 0, content, (int) position, done);
          lost.clear((int) position, (int) position + done);
        }
      }
    }

    @Override
    public void truncate(long length) throws IOException {
      synchronized (MemoryFolder.this) {
        call("truncate");
        content = Arrays.copyOf(content, (int) length);
        lost.clear((int) length, Integer.MAX_VALUE);
      }
    }

    @Override
    public void sync() throws IOException {
      byte[] now;
      int number;
      Runnable action;
      synchronized (MemoryFolder.this) {
        try {
          call("sync");
        } catch (IOException e) {
          for (int i = 0; i < content.length; i++) {
            lost.set(i, lost.get(i) || i >= durable.length || content[i] != durable[i]);
          }
          throw e;
        }
        number = ++syncs;
        now = content.clone();
        for (int i = lost.nextSetBit(0); i >= 0; i = lost.nextSetBit(i + 1)) {
          now[i] = i < durable.length ? durable[i] : 0;
        }
        action = beforeSync;
      }
      action.run();
      synchronized (MemoryFolder.this) {
        if (number > durableBy) {
          durable = now;
          durableBy = number;
        }
      }
    }

    byte[] afterPowerLoss(Random random, int keep) {
      if (keep == 0) {
        return durable.clone();
      }
      if (keep == 1) {
        return content.clone();
      }
      int length = random.nextBoolean() ? content.length
          : Math.min(durable.length, content.length)
              + random.nextInt(Math.abs(content.length - durable.length) + 1);
      byte[] left = Arrays.copyOf(durable, length);
      for (int at = 0; at < length; at += SECTOR_BYTES) {
        int end = Math.min(at + SECTOR_BYTES, Math.min(length, content.length));
        if (end > at && random.nextBoolean()) {
          System.arraycopy(content, at, left, at, end - at);
        }
      }
      return left;
    }

    @Override
    public void close() {
      synchronized (MemoryFolder.this) {
        open--;
      }
    }
  }
}
