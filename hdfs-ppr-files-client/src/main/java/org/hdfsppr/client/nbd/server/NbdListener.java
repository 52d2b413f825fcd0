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
package org.hdfsppr.client.nbd.server;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** Accepts the connections of clients. */
@InterfaceAudience.Private
public abstract class NbdListener implements Closeable {
  /** Waits for the next client. */
  abstract ClientWire accept() throws IOException;

  /** Returns the key for TLS; empty if clients connect without TLS. */
  abstract Optional<TlsKeys> keys();

  /** @return the address as clients write it */
  public abstract String uri();

  /** Accepts no more clients, and makes a call of {@link #accept} that waits fail. */
  @Override
  public abstract void close() throws IOException;
}
