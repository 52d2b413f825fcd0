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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;

/** What all messages are checked with where they come in, and what they have in common. */
@InterfaceAudience.Private
public final class Door {
  private static final int TEXT_MAX = 1024;

  private Door() {
  }

  /** The message for {@code node}. */
  public static NodeProto toProto(NodeRef node) {
    return NodeProto.newBuilder()
        .setUuid(node.uuid())
        .setIpAddr(node.ipAddr())
        .setHostName(node.hostName())
        .setXferPort(node.xferPort())
        .setRepairPort(node.repairPort())
        .setRack(node.rack())
        .build();
  }

  /**
   * Reads a node.
   *
   * @throws IllegalArgumentException naming what is wrong with it
   */
  public static NodeRef node(NodeProto proto) {
    return new NodeRef(text("uuid", proto.getUuid()), text("ip_addr", proto.getIpAddr()),
        text("host_name", proto.getHostName()), proto.getXferPort(), proto.getRepairPort(),
        text("rack", proto.getRack()));
  }

  /**
   * A text that may go to a log.
   *
   * @throws IllegalArgumentException if it is too long, or has more than one line
   */
  public static String text(String name, String value) {
    if (value.length() > TEXT_MAX) {
      throw new IllegalArgumentException(name + " has " + value.length() + " characters, at most "
          + TEXT_MAX + " are allowed");
    }
    for (int i = 0; i < value.length(); i++) {
      // These strings reach log files; a line break in them would forge a line.
      if (Character.isISOControl(value.charAt(i))) {
        throw new IllegalArgumentException(name + " has a control character at " + i);
      }
    }
    return value;
  }

  /** As {@link #text}, and not empty. */
  public static String name(String name, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty");
    }
    return text(name, value);
  }

  /**
   * A number within bounds.
   *
   * @throws IllegalArgumentException naming it, its value and the bounds
   */
  public static int within(String name, int value, int least, int most) {
    return (int) within(name, (long) value, least, most);
  }

  /** As the other one, for long numbers. */
  public static long within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " " + value + " is out of range (" + least + " to "
          + most + ")");
    }
    return value;
  }
}
