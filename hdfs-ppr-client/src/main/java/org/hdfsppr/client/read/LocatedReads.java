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
package org.hdfsppr.client.read;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads block groups, and asks the NameNode again for locations if a read fails. A NameNode that
 * has just started knows only the units that DataNodes have reported so far. A stream keeps the
 * NameNode's first answer. Without this class, reads of the group through this stream would fail
 * until the stream is closed. Thread-safe if the locator is.
 */
@InterfaceAudience.Private
public final class LocatedReads {
  private static final Logger LOG = LoggerFactory.getLogger(LocatedReads.class);

  /** Asks the NameNode for the locations of a group's units. */
  public interface Locator {
    LocatedGroup locate(long position) throws IOException;
  }

  /** Reads from the units of a group that the NameNode knows. */
  public interface Read {
    int from(LocatedGroup group) throws IOException;
  }

  private final Locator locator;

  /** @param locator asks the NameNode by a position in the file, bytes */
  public LocatedReads(Locator locator) {
    this.locator = locator;
  }

  /**
   * Reads a group. If that fails and the NameNode knows more units by now, reads it once more.
   *
   * @param group the group with the locations of an earlier answer of the NameNode
   * @param read reads the group
   * @return what the read returns
   * @throws IOException if the group cannot be read
   */
  public int read(LocatedGroup group, Read read) throws IOException {
    try {
      return read.from(group);
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException e) {
      if (IoFailures.isOwnInterrupt(e) || group.located() == group.units()) {
        throw e;
      }
      LocatedGroup fresh;
      try {
        fresh = locator.locate(group.start());
      } catch (UntrustedBytesException own) {
        throw own;
      } catch (IOException unanswered) {
        e.addSuppressed(unanswered);
        throw e;
      }
      if (fresh.located() <= group.located()) {
        throw e;
      }
      LOG.debug("{} is read again, with {} units instead of {}", group.id(), fresh.located(),
          group.located(), e);
      return read.from(fresh);
    }
  }
}
