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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The bits of the field must_understand of a command. Each bit names a feature that a DataNode must
 * know to carry out the command. A DataNode that lacks a feature refuses the command. In
 * heartbeats, DataNodes announce the bits that they know.
 */
@InterfaceAudience.Private
public final class CommandFeatures {
  /**
   * Units of the group contradict each other, so that the DataNode may rebuild a unit only if it
   * checks every byte.
   */
  public static final long DOUBTED = 1;
  /**
   * The command lists the blocks over which the code is calculated. They need not belong to one
   * block group.
   */
  public static final long BLOCKS = 2;
  /** The DataNode carries out commands of the kind {@link ScrubCommand#KIND}. */
  public static final long SCRUB = 4;
  /**
   * The DataNode carries out commands of the kinds {@code LinkCommand.KIND} and {@code
   * MakeCommand.KIND}.
   */
  public static final long VERSIONS = 8;
  /**
   * The repair may use a row and a column of a CORE group together, see {@link
   * org.hdfsppr.coder.code.CrossedCode}. The command has {@link #BLOCKS}, too.
   */
  public static final long CORE = 16;
  /**
   * The DataNode keeps update logs. DataNodes announce this bit, but no command has it: the
   * NameNode gives clients tickets for the logs, and sends DataNodes no command.
   */
  public static final long UPDATE_LOG = 32;
  /** The DataNode carries out commands of the kind {@code PatchCommand.KIND}. */
  public static final long PATCHES = 64;
  /**
   * A {@code PatchCommand} of a parity unit says how the change of each range of a data unit comes
   * to the parity unit: in a sum, or forwarded by another node.
   */
  public static final long CHANGE_WAYS = 128;
  /**
   * A {@code PatchCommand} of a parity unit names a collector: a node in another rack that gathers
   * the changes of data units.
   */
  public static final long COLLECTED = 256;
  /**
   * The DataNode understands the block tokens of sealed tickets. Such a token has no block and no
   * access mode, so that it serves only to show the ticket. DataNodes announce this bit, but no
   * command has it.
   */
  public static final long SEALED_TICKETS = 512;
  /**
   * The DataNode queues checks. It accepts up to {@link ScrubCommand#AT_A_TIME} checks at a time,
   * runs one of them, and keeps the others waiting. A DataNode without this bit refuses a check
   * while another check runs. DataNodes announce this bit, but no command has it.
   */
  public static final long CHECK_QUEUE = 1024;
  /**
   * A {@code LinkCommand} links nothing, and asks for digests of blocks instead. A DataNode that
   * announces this bit also reports digests of the blocks that it makes.
   */
  public static final long BLOCK_DIGESTS = 2048;
  /** All bits that a command may have and that this version knows. */
  public static final long KNOWN = DOUBTED | BLOCKS | SCRUB | VERSIONS | CORE | PATCHES
      | CHANGE_WAYS | COLLECTED | BLOCK_DIGESTS;

  private CommandFeatures() {
  }
}
