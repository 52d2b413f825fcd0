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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/** The output of {@code hdfs fsck / -files -blocks -locations}, as an operator would see it. */
@InterfaceAudience.Private
public final class Fsck {

  /**
   * Matches lines such as {@code Missing internal blocks:\t2 (3.4 %)}. Fsck may print a line twice,
   * once for replicated and once for striped blocks. This class adds the two numbers.
   */
  private static final Pattern COUNTER = Pattern.compile(
      "^ *((?:Under|Missing|Corrupt|Unsatisfactory|Over)[^:\\t]*|Mis-replicated blocks):\\s+(\\d+)",
      Pattern.MULTILINE);

  /**
   * Matches the counters that must be 0 if no data are lost. The counters of excess replicas and of
   * bad placement are left out, because neither is a loss.
   */
  private static final Pattern LOSS = Pattern.compile("(Under|Missing|Corrupt).*");

  private static final Pattern UNIT = Pattern.compile(
      "blk_(-\\d+):DatanodeInfoWithStorage\\[([0-9.]+):");

  private final String text;
  private final Map<String, Long> counters = new TreeMap<>();

  Fsck(String text) {
    this.text = text;
    Matcher matcher = COUNTER.matcher(text);
    while (matcher.find()) {
      counters.merge(matcher.group(1).strip(), Long.valueOf(matcher.group(2)), Long::sum);
    }
  }

  /**
   * Runs fsck against the only or active NameNode.
   *
   * @param client settings of a client of the cluster
   * @return the parsed output of fsck
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static Fsck of(Configuration client) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8.name())) {
      ToolRunner.run(new DFSck(client, out),
          new String[] {"/", "-files", "-blocks", "-locations"});
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      // ToolRunner.run() declares Exception, although the only checked exception of fsck is
      // IOException.
      throw new IOException("fsck: " + e, e);
    }
    return new Fsck(new String(said.toByteArray(), StandardCharsets.UTF_8));
  }

  /**
   * {@return true if fsck found no lost, corrupt or under-replicated block or internal block}
   */
  public boolean isWhole() {
    return isHealthy() && counters.containsKey("Missing internal blocks")
        && counters.entrySet().stream()
        .noneMatch(e -> LOSS.matcher(e.getKey()).matches() && e.getValue() != 0);
  }

  /** {@return fsck's verdict, which is bad if it has found a file whose bytes are lost} */
  public boolean isHealthy() {
    return text.contains("is HEALTHY");
  }

  /**
   * {@return the value of one of fsck's counters of lost, corrupt or badly placed blocks, the sum
   * of replicated blocks and block groups}
   *
   * @param name as fsck prints it, such as {@code Missing internal blocks}
   * @throws IllegalArgumentException if fsck has not printed this counter
   */
  public long count(String name) {
    Long value = counters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("There is no '" + name + "' in " + this);
    }
    return value;
  }

  /** {@return every internal block that fsck has listed, as {@code blk_-ID on ADDRESS}} */
  public Set<String> internalBlocks() {
    Set<String> all = new TreeSet<>();
    Matcher matcher = UNIT.matcher(text);
    while (matcher.find()) {
      all.add(internalBlock(Long.parseLong(matcher.group(1)), matcher.group(2)));
    }
    return all;
  }

  /**
   * Names an internal block in the format of {@link #internalBlocks}.
   *
   * @param blockId the id of the internal block
   * @param address an IP address
   * @return a text such as {@code blk_-ID on ADDRESS}
   */
  public static String internalBlock(long blockId, String address) {
    return "blk_" + blockId + " on " + address;
  }

  /** Returns fsck's verdict and all counters. */
  @Override
  public String toString() {
    return "fsck " + (isHealthy() ? "HEALTHY " : "not HEALTHY ") + counters;
  }
}
