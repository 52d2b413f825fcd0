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
package org.hdfsppr.operate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.ReasonCountProto;

/** Converts counts by reason to the messages that several answers contain, and back. */
@InterfaceAudience.Private
public final class ReasonCounts {
  private ReasonCounts() {
  }

  /**
   * @param counts a count for each reason
   * @return the messages, in the order of the map
   */
  public static List<ReasonCountProto> toProtos(Map<String, Long> counts) {
    List<ReasonCountProto> protos = new ArrayList<>();
    counts.forEach((reason, count) ->
        protos.add(ReasonCountProto.newBuilder().setReason(reason).setFiles(count).build()));
    return protos;
  }

  static Map<String, Long> parse(List<ReasonCountProto> protos) {
    Map<String, Long> counts = new HashMap<>();
    protos.forEach(one -> counts.put(one.getReason(), one.getFiles()));
    return counts;
  }
}
