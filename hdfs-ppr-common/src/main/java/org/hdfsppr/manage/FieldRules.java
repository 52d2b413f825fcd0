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

import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HolderProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;
import org.hdfsppr.wire.proto.PprProtos.NodeProto;

/**
 * Checks fields of the messages of this package, and converts parts that several of these messages
 * have. Each method that checks throws an IllegalArgumentException that names the field, its value
 * and the allowed values.
 */
@InterfaceAudience.Private
public final class FieldRules {
  /**
   * The largest valid value of a counter in a message. The counters of a working node are far
   * smaller.
   */
  static final int COUNT_MAX = 1 << 20;
  /**
   * The longest text that explains a failure, characters. A sender cuts longer texts. A usual text,
   * which names a cause and a node, is shorter.
   */
  private static final int MESSAGE_MAX = 512;
  private static final int CELL_BYTES_MAX = 1 << 30;
  /** HDFS accepts only cells whose length is a multiple of this number of bytes. */
  private static final int CELL_BYTES_UNIT = 1024;

  private FieldRules() {
  }

  /** Cuts a text that explains a failure to {@link #MESSAGE_MAX}, and puts it on one line. */
  static String message(String text) {
    String line = PeerText.oneLine(text);
    return line.length() <= MESSAGE_MAX ? line : line.substring(0, MESSAGE_MAX);
  }

  /**
   * Returns the first elements of a list, at most {@code most} of them. The sender sends the others
   * with its next message.
   */
  static <T> List<T> first(List<T> list, int most) {
    return list.size() <= most ? list : list.subList(0, most);
  }

  public static void atMost(String name, int count, int most) {
    if (count > most) {
      throw new IllegalArgumentException(count + " " + name + ", at most " + most
          + " are allowed");
    }
  }

  public static String id(String repairId) {
    return WireRules.name("repair_id", repairId);
  }

  public static long term(long term) {
    return WireRules.within("term", term, 0, Long.MAX_VALUE);
  }

  static int count(String name, int value) {
    return WireRules.within(name, value, 0, COUNT_MAX);
  }

  static long bytes(String name, long value) {
    return WireRules.within(name, value, 0, Long.MAX_VALUE);
  }

  /**
   * Checks the id of a block group, which equals the id of the group's first internal block:
   * negative, and a multiple of 16.
   */
  public static long group(long group) {
    if (group >= 0 || group % RequestBounds.UNITS_MAX != 0) {
      throw new IllegalArgumentException("group_id " + group + " is not that of a block group");
    }
    return group;
  }

  public static long groupBytes(long bytes) {
    return WireRules.within("group_bytes", bytes, 1, 1L << 50);
  }

  public static int cellBytes(int bytes) {
    WireRules.within("cell_bytes", bytes, CELL_BYTES_UNIT, CELL_BYTES_MAX);
    if (bytes % CELL_BYTES_UNIT != 0) {
      throw new IllegalArgumentException("cell_bytes " + bytes + " is no multiple of "
          + CELL_BYTES_UNIT);
    }
    return bytes;
  }

  /** Reads a node. Commands need a node's UUID and address, so that neither may be empty. */
  public static NodeRef node(NodeProto proto) {
    NodeRef node = WireRules.node(proto);
    WireRules.name("uuid", node.uuid);
    WireRules.name("ip_addr", node.ipAddr);
    return node;
  }

  /** Checks that a message names the NameNode's block pool. */
  public static void pool(String named, String pool) {
    if (!named.equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
  }

  /** Reads a block with its length. The block must belong to the NameNode's block pool. */
  public static BlockRef block(BlockProto proto, String pool) {
    BlockRef block = WireRules.blockWithLength(proto, pool);
    if (!block.poolId.equals(pool)) {
      throw new IllegalArgumentException("block " + block + " is not of the NameNode's pool, "
          + pool);
    }
    return block;
  }

  static List<HolderProto> holders(List<UnitHolder> holders) {
    return holders.stream().map(holder -> HolderProto.newBuilder().setUnit(holder.unit)
        .setNode(WireRules.toProto(holder.node)).build()).collect(Collectors.toList());
  }

  /** Reads the holder of a unit. The unit's index must be less than {@code units}. */
  static UnitHolder holder(HolderProto proto, int units) {
    return new UnitHolder(WireRules.within("unit", proto.getUnit(), 0, units - 1),
        node(proto.getNode()));
  }

  /**
   * Starts the message of a command that has a {@link CommandKind}. The body has the fields of that
   * kind.
   */
  public static CommandProto.Builder command(ManagerCommand command, MessageLite body) {
    return CommandProto.newBuilder().setKind(command.kind()).setCommandId(command.id())
        .setTerm(command.term()).setBody(body.toByteString());
  }

  /** Reads the body of a command. The caller has found the parser by the command's kind. */
  public static <M> M body(CommandProto command, Parser<M> parser) {
    try {
      return parser.parseFrom(command.getBody());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("body is no " + command.getKind() + " message: "
          + e.getMessage(), e);
    }
  }

  /**
   * Reads ranges of bytes.
   *
   * @return for each range, the offset of its first byte as the key, and the offset behind its last
   *     byte as the value
   */
  public static NavigableMap<Long, Long> ranges(String name, int most, List<Long> begins,
      List<Long> lengths) {
    atMost(name, begins.size(), most);
    if (begins.size() != lengths.size()) {
      throw new IllegalArgumentException(begins.size() + " begins and " + lengths.size()
          + " lengths of " + name);
    }
    NavigableMap<Long, Long> ranges = new TreeMap<>();
    for (int i = 0; i < begins.size(); i++) {
      long from = bytes(name, begins.get(i));
      long length = WireRules.within(name, lengths.get(i), 1, Long.MAX_VALUE - from);
      if (ranges.put(from, from + length) != null) {
        throw new IllegalArgumentException(name + " has two ranges that begin at " + from);
      }
    }
    return Collections.unmodifiableNavigableMap(ranges);
  }
}
