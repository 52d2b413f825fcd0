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
package org.hdfsppr.it.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hdfsppr.it.util.EcCode;

/** The result of the repairs with which one worker rebuilt the lost units of one file. */
final class DemoRecord {
  final EcCode code;
  final Worker worker;
  /** How many blocks were lost and rebuilt. */
  final int blocks;
  /**
   * The seconds from the stop of the node until the last block is rebuilt, including the NameNode's
   * own delays.
   */
  final double seconds;
  final long busiestReceivedBytes;
  final boolean ok;

  DemoRecord(EcCode code, Worker worker, int blocks, double seconds, long busiestReceivedBytes,
      boolean ok) {
    this.code = code;
    this.worker = worker;
    this.blocks = blocks;
    this.seconds = seconds;
    this.busiestReceivedBytes = busiestReceivedBytes;
    this.ok = ok;
  }

  ObjectNode toJson(ObjectMapper mapper) {
    return mapper.createObjectNode()
        .put("code", code.label())
        .put("worker", worker.label)
        .put("blocks", blocks)
        .put("seconds", seconds)
        .put("busiest_node_received_bytes", busiestReceivedBytes)
        .put("ok", ok);
  }
}
