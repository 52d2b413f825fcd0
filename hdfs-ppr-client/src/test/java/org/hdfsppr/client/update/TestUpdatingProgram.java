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
package org.hdfsppr.client.update;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that was compiled when updaters were no abstract classes links and runs. */
class TestUpdatingProgram {
  private final List<String> calls = new ArrayList<>();

  private static String bytes(ByteBuffer of) {
    StringBuilder text = new StringBuilder();
    while (of.hasRemaining()) {
      text.append(of.get());
    }
    return text.toString();
  }

  private final class Updater extends FileUpdater {
    @Override
    public long length() {
      return 100;
    }

    @Override
    public void write(long position, ByteBuffer data) {
      calls.add(position + " " + bytes(data));
    }

    @Override
    public void hflush() {
      calls.add("hflush");
    }

    @Override
    public void hsync() {
      calls.add("hsync");
    }

    @Override
    public void close() {
      calls.add("close");
    }

    @Override
    public String toString() {
      return "an updater";
    }
  }

  private final class Shared extends SharedUpdater {
    @Override
    public long length() {
      return 100;
    }

    @Override
    public boolean knowsFile() {
      calls.add("knowsFile");
      return true;
    }

    @Override
    public void requireRight() {
      calls.add("requireRight");
    }

    @Override
    public void write(long position, ByteBuffer from) {
      calls.add(position + " " + bytes(from));
    }

    @Override
    public void sync() {
      calls.add("sync");
    }

    @Override
    public boolean isDirty() {
      calls.add("isDirty");
      return false;
    }

    @Override
    public boolean isSyncUrgent() {
      calls.add("isSyncUrgent");
      return false;
    }

    @Override
    public String toString() {
      return "a shared updater";
    }
  }

  @Test
  void itWritesByOneUpdater() throws IOException {
    assertEquals("an updater", UpdatingProgram.load().write(new Updater()));
    assertEquals(List.of("98 34", "hflush", "96 12", "hsync", "close"), calls);
  }

  @Test
  void itWritesByASharedUpdater() throws IOException {
    assertEquals("a shared updater", UpdatingProgram.load().share(new Shared()));
    assertEquals(List.of("requireRight", "92 5678", "isDirty", "isSyncUrgent", "knowsFile", "sync"),
        calls);
  }
}
