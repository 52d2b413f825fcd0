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
package org.hdfsppr.client.nbd;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What the server does when it has got an option: it sends an answer, and goes on in one of four
 * ways.
 */
@InterfaceAudience.Private
public final class NbdStep {
  /** How the connection goes on after the answer. */
  public enum Next {
    /** The client sends another option. */
    OPTION,
    /** Both sides begin TLS, and then the client sends another option. */
    TLS,
    /** The client sends requests. */
    REQUESTS,
    /** The connection ends. */
    END
  }

  /** The bytes for the client, from position to limit; may be empty */
  public final ByteBuffer answer;
  public final Next next;

  NbdStep(ByteBuffer answer, Next next) {
    this.answer = answer;
    this.next = next;
  }
}
