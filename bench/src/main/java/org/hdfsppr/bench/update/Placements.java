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
package org.hdfsppr.bench.update;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import org.hdfsppr.update.StripeRacks;

/**
 * Says where the chunks of each stripe are when a trace begins: as a file says, or drawn. Nodes are
 * numbered rack after rack. A drawn place depends on the seed and the stripe only, not on the order
 * in which stripes are asked for.
 */
final class Placements {
  private final int dataUnits;
  private final int units;
  private final int nodes;
  final int racks;
  private final long seed;
  private final Map<Long, StripeRacks> given;

  private Placements(int dataUnits, int units, int nodes, int racks, long seed,
      Map<Long, StripeRacks> given) {
    this.dataUnits = dataUnits;
    this.units = units;
    this.nodes = nodes;
    this.racks = racks;
    this.seed = seed;
    this.given = given;
  }

  /**
   * @param dataUnits k
   * @param units n
   * @param nodes at least n
   * @param racks at least 2, at most {@code nodes}
   * @param seed equal seeds give equal places
   * @throws IllegalArgumentException if a number is out of its range
   */
  static Placements drawn(int dataUnits, int units, int nodes, int racks, long seed) {
    if (nodes < units) {
      throw new IllegalArgumentException("--nodes is " + nodes + ", and the code has " + units
          + " units: each needs a node of its own");
    }
    if (racks < 2 || racks > nodes) {
      throw new IllegalArgumentException("--racks is " + racks + ", and has to be 2 to " + nodes
          + ", the number of nodes");
    }
    return new Placements(dataUnits, units, nodes, racks, seed, Collections.emptyMap());
  }

  /**
   * Takes places that are known.
   *
   * @param stripes the places of all stripes that will be asked for
   */
  static Placements known(int dataUnits, int units, int nodes, int racks,
      Map<Long, StripeRacks> stripes) {
    return new Placements(dataUnits, units, nodes, racks, 0, stripes);
  }

  /**
   * Reads the places of some stripes. The first line of the file is a heading; each other line has
   * a stripe's number and the node of each of its n chunks, data chunks first.
   *
   * @param file the file
   * @return these places, and drawn ones for all other stripes
   * @throws IllegalArgumentException if a line is not such a line; the message has its number
   * @throws IOException if the file cannot be read
   */
  Placements with(Path file) throws IOException {
    Map<Long, StripeRacks> read = new HashMap<>();
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String heading = reader.readLine();
      if (heading == null || !heading.startsWith("stripe,")) {
        throw new IllegalArgumentException(file + ", line 1: '" + (heading == null ? "" : heading)
            + "' is no heading; " + expected());
      }
      int number = 1;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        String where = file + ", line " + number + ": ";
        String[] fields = line.split(",", -1);
        if (fields.length != units + 1) {
          throw new IllegalArgumentException(where + "'" + line + "' has " + fields.length
              + " columns, not " + (units + 1) + "; " + expected());
        }
        long stripe = number(where, "stripe", fields[0], Long.MAX_VALUE);
        if (read.putIfAbsent(stripe, racks(where, fields)) != null) {
          throw new IllegalArgumentException(where + "stripe " + stripe
              + " stands in an earlier line as well; keep one of the two");
        }
      }
    }
    return new Placements(dataUnits, units, nodes, racks, seed, read);
  }

  private String expected() {
    return "the file has the heading stripe,chunk0,...,chunk" + (units - 1) + " and a line for"
        + " each stripe: its number, and the nodes of its " + units + " chunks, data chunks first";
  }

  private StripeRacks racks(String where, String[] fields) {
    int[] rackOf = new int[units];
    boolean[] taken = new boolean[nodes];
    for (int unit = 0; unit < units; unit++) {
      int node = (int) number(where, "chunk" + unit, fields[unit + 1], nodes - 1);
      if (taken[node]) {
        throw new IllegalArgumentException(where + "node " + node
            + " has two chunks of the stripe; each chunk needs a node of its own");
      }
      taken[node] = true;
      rackOf[unit] = rack(node);
    }
    return new StripeRacks(dataUnits, racks, rackOf);
  }

  private static long number(String where, String column, String text, long most) {
    if (text.matches("\\d{1,18}") && Long.parseLong(text) <= most) {
      return Long.parseLong(text);
    }
    throw new IllegalArgumentException(where + column + " is '" + text
        + "', and has to be a whole number from 0"
        + (most == Long.MAX_VALUE ? "" : " to " + most + ", as --nodes says"));
  }

  private int rack(int node) {
    return (int) ((long) node * racks / nodes);
  }

  /** {@return how many stripes the file has} */
  int given() {
    return given.size();
  }

  /** {@return where the units of a stripe are when the trace begins} */
  StripeRacks of(long stripe) {
    StripeRacks known = given.get(stripe);
    if (known != null) {
      return known;
    }
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + stripe).split();
    int[] order = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      order[node] = node;
    }
    int[] rackOf = new int[units];
    for (int unit = 0; unit < units; unit++) {
      int other = unit + random.nextInt(nodes - unit);
      int node = order[other];
      order[other] = order[unit];
      order[unit] = node;
      rackOf[unit] = rack(node);
    }
    return new StripeRacks(dataUnits, racks, rackOf);
  }
}
