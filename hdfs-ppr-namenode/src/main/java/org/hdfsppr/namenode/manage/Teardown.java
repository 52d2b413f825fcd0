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
package org.hdfsppr.namenode.manage;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts that have been started, in reverse order. If a part fails to close, the other
 * parts are still closed. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class Teardown implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  private final Deque<Closeable> started = new ArrayDeque<>();

  /** @param one a part that has been started; it is closed before those that are added already */
  public void add(Closeable one) {
    started.push(one);
  }

  /** Closes all parts. A second call does nothing. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (IOException | RuntimeException | LinkageError e) {
        LOG.error("A part of the repair manager cannot be closed; the others are", e);
      }
    }
  }
}
