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
package org.hdfsppr.it.cluster;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many bytes a node's link has carried. The kernel counts whole frames, with their headers.
 */
@InterfaceAudience.Private
public final class LinkBytes {
  public final long received;
  public final long sent;

  /**
   * @param received the bytes that went into the node
   * @param sent the bytes that came out of the node
   */
  public LinkBytes(long received, long sent) {
    this.received = received;
    this.sent = sent;
  }

  /**
   * {@return the bytes that the link has carried since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public LinkBytes since(LinkBytes earlier) {
    return new LinkBytes(received - earlier.received, sent - earlier.sent);
  }
}
