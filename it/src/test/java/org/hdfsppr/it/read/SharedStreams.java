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
package org.hdfsppr.it.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Streams that threads share, one for each file. After a loss is undone, a new stream is opened.
 */
final class SharedStreams implements Closeable {
  private final ReadCluster cluster;
  private final Map<String, FSDataInputStream> streams = new HashMap<>();
  private final List<FSDataInputStream> all = new ArrayList<>();

  SharedStreams(ReadCluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the shared stream of the threads that know of this number of undone losses. */
  synchronized FSDataInputStream stream(ReadFile file, long returns) throws IOException {
    String key = file.path + "@" + returns;
    FSDataInputStream stream = streams.get(key);
    if (stream == null) {
      stream = cluster.reader().open(file.path);
      streams.put(key, stream);
      all.add(stream);
    }
    return stream;
  }

  @Override
  public synchronized void close() throws IOException {
    for (FSDataInputStream stream : all) {
      stream.close();
    }
    streams.clear();
    all.clear();
  }
}
