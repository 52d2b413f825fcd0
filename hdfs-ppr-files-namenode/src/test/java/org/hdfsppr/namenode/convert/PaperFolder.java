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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A folder of jobs in memory. */
final class PaperFolder implements JobFolder {
  final Map<String, byte[]> texts = new TreeMap<>();
  IOException failure;
  /** The job whose record makes the folder fail like a NameNode that has a bug. */
  String broken = "";
  int writes;
  /** Called before the next write compares. */
  Runnable beforeTheNextWrite = () -> { };

  private void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public List<String> ids() throws IOException {
    check();
    return new ArrayList<>(texts.keySet());
  }

  @Override
  public Optional<byte[]> read(String id) throws IOException {
    check();
    byte[] text = texts.get(id);
    return text == null || text.length == 0 ? Optional.empty() : Optional.of(text);
  }

  @Override
  public boolean add(String id, byte[] text) throws IOException {
    return replace(id, new byte[0], text);
  }

  @Override
  public boolean replace(String id, byte[] before, byte[] text) throws IOException {
    check();
    beforeTheNextWrite.run();
    beforeTheNextWrite = () -> { };
    if (!Arrays.equals(texts.getOrDefault(id, new byte[0]), before)) {
      return false;
    }
    if (id.equals(broken)) {
      throw new IllegalStateException("broken");
    }
    writes++;
    texts.put(id, text);
    return true;
  }

  @Override
  public void remove(String id) throws IOException {
    check();
    texts.remove(id);
  }
}
