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
package org.hdfsppr.manage;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;

/**
 * Checks fields for the codecs of this package. Each method throws an IllegalArgumentException that
 * names the field, its value and the allowed values.
 */
@InterfaceAudience.Private
final class Fields {
  /** The counters of a working node stay below this number. */
  static final int COUNT_MAX = 1 << 20;
  /**
   * The longest message, characters. A sender cuts longer messages. A message that names a cause
   * and a node is shorter.
   */
  private static final int MESSAGE_MAX = 512;
  private static final int CELL_BYTES_MAX = 1 << 30;
  /** HDFS accepts only cells whose length is a multiple of this number of bytes. */
  private static final int CELL_BYTES_UNIT = 1024;

  private Fields() {
  }

  /** Cuts a text to the longest message, and puts it on one line. */
  static String message(String text) {
    String line = PeerText.oneLine(text);
    return line.length() <= MESSAGE_MAX ? line : line.substring(0, MESSAGE_MAX);
  }

  /**
   * Returns the first elements of a list, at most {@code most}. A sender sends the other elements
   * with its next message.
   */
  static <T> List<T> first(List<T> list, int most) {
    return list.size() <= most ? list : list.subList(0, most);
  }

  static void atMost(String name, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(count + " " + name + ", at most " + most
          + " are allowed");
    }
  }

  static String id(String repairId) {
    return Door.name("repair_id", repairId);
  }

  static long term(long term) {
    return Door.within("term", term, 0, Long.MAX_VALUE);
  }

  static int count(String name, int value) {
    return Door.within(name, value, 0, COUNT_MAX);
  }

  static long bytes(String name, long value) {
    return Door.within(name, value, 0, Long.MAX_VALUE);
  }

  /**
   * Checks the id of a block group. It equals the id of the group's first internal block, and is
   * negative.
   */
  static long group(long group) {
    if (group >= 0 || group % RequestBounds.UNITS_MAX != 0) {
      throw new IllegalArgumentException("group_id " + group + " is not that of a block group");
    }
    return group;
  }

  static long groupBytes(long bytes) {
    return Door.within("group_bytes", bytes, 1, 1L << 50);
  }

  static int cellBytes(int bytes) {
    Door.within("cell_bytes", bytes, CELL_BYTES_UNIT, CELL_BYTES_MAX);
    if (bytes % CELL_BYTES_UNIT != 0) {
      throw new IllegalArgumentException("cell_bytes " + bytes + " is no multiple of "
          + CELL_BYTES_UNIT);
    }
    return bytes;
  }

  /** Reads a node that has a UUID and an address, as commands need them. */
  static NodeRef node(NodeProto proto) {
    NodeRef node = Door.node(proto);
    Door.name("uuid", node.uuid);
    Door.name("ip_addr", node.ipAddr);
    return node;
  }
}
