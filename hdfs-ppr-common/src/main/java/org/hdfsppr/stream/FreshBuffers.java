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
package org.hdfsppr.stream;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Allocates new direct memory for each lease. The garbage collector frees the memory after the
 * lease. This suits a process that seldom needs such memory, and whose callers bound the total.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class FreshBuffers implements BufferSource {
  @Override
  public Lease lease(int... pieces) {
    return new Lease() {
      private Runnable atEnd;
      private int carved;

      @Override
      public ByteBuffer carve(int bytes) {
        if (carved == pieces.length || pieces[carved] != bytes) {
          throw new IllegalArgumentException("Piece " + carved + " of the lease has not " + bytes
              + " bytes");
        }
        carved++;
        return ByteBuffer.allocateDirect(bytes);
      }

      @Override
      public Lease whenClosed(Runnable action) {
        atEnd = action;
        return this;
      }

      @Override
      public void close() {
        Runnable action = atEnd;
        atEnd = null;
        if (action != null) {
          action.run();
        }
      }
    };
  }

  @Override
  public String refusal(int... pieces) {
    return null;
  }
}
