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
package org.hdfsppr.namenode.update;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hdfsppr.namenode.record.BadRecordException;

/**
 * The latest terms of a block group's units, as an extended attribute keeps them. Its bytes are a
 * format, the id of the block group when the last term was given, the number of units, and for each
 * unit its number, term, previous term, epoch, holders, history, and a bit for each holder that is
 * an heir. {@link UnitTerm} explains these. With 16 units and 8 nodes in each list, the attribute
 * has less than 11 KB; HDFS allows 16 KB by default. Immutable.
 */
final class GroupTerms {
  static final GroupTerms NONE = new GroupTerms(0, List.of());
  private static final int FORMAT = 3;
  /** The format of earlier releases, which does not say which holders are heirs. */
  private static final int WITHOUT_HEIRS = 2;
  private static final int LIST_MAX = 64;

  /**
   * The id of the block group when the last term was given; a commit gives the file other block
   * groups.
   */
  final long blockGroup;
  private final Map<Integer, UnitTerm> units = new TreeMap<>();

  GroupTerms(long blockGroup, Collection<UnitTerm> terms) {
    this.blockGroup = blockGroup;
    terms.forEach(term -> units.put(term.unit, term));
  }

  /** Returns the latest terms of all units that have one. */
  Collection<UnitTerm> all() {
    return Collections.unmodifiableCollection(units.values());
  }

  /** Returns the latest term of a unit; null if it has none. */
  UnitTerm unit(int unit) {
    return units.get(unit);
  }

  /**
   * Returns a copy in which some units have other terms.
   *
   * @param newBlockGroup the id of the block group now
   */
  GroupTerms with(long newBlockGroup, Collection<UnitTerm> changed) {
    List<UnitTerm> all = new ArrayList<>(units.values());
    all.addAll(changed);
    return new GroupTerms(newBlockGroup, all);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeLong(blockGroup);
      out.writeByte(units.size());
      for (UnitTerm term : units.values()) {
        out.writeByte(term.unit);
        out.writeLong(term.term);
        out.writeLong(term.previous);
        out.writeLong(term.epoch);
        write(term.holders, out);
        write(term.history, out);
        out.writeLong(heirs(term));
      }
    } catch (IOException e) {
      throw new IllegalStateException("An array takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private static long heirs(UnitTerm term) {
    long bits = 0;
    for (String heir : term.heirs) {
      bits |= 1L << term.holders.indexOf(heir);
    }
    return bits;
  }

  private static void write(List<String> uuids, DataOutputStream out) throws IOException {
    out.writeByte(uuids.size());
    for (String uuid : uuids) {
      out.writeUTF(uuid);
    }
  }

  /**
   * Parses the value of the attribute.
   *
   * @throws BadRecordException if the bytes are not the terms of a group, or if a newer hdfs-ppr
   *     has written them
   */
  static GroupTerms parse(byte[] bytes) throws BadRecordException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT && format != WITHOUT_HEIRS) {
        throw new BadRecordException(BadRecordException.Why.TOO_NEW, "the record of terms has"
            + " format " + format + ", which a newer hdfs-ppr may have written");
      }
      long blockGroup = in.readLong();
      List<UnitTerm> terms = new ArrayList<>();
      for (int left = in.readUnsignedByte(); left > 0; left--) {
        terms.add(term(in, format));
      }
      if (in.read() >= 0) {
        throw corrupt("is longer than it says");
      }
      return new GroupTerms(blockGroup, terms);
    } catch (BadRecordException e) {
      throw e;
    } catch (IOException e) {
      throw corrupt("is shorter than it says, or has names that are none: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw corrupt("contradicts itself: " + e.getMessage());
    }
  }

  private static BadRecordException corrupt(String why) {
    return new BadRecordException(BadRecordException.Why.CORRUPT, "the record of terms " + why);
  }

  private static UnitTerm term(DataInputStream in, int format) throws IOException {
    int unit = in.readUnsignedByte();
    long term = in.readLong();
    long previous = in.readLong();
    long epoch = in.readLong();
    List<String> holders = read(in);
    List<String> history = read(in);
    // A record in the earlier format does not say which holders are heirs. If the term is the
    // unit's first one, all holders are; if not, only the leader is.
    long heirs = format == FORMAT ? in.readLong() : history.isEmpty() ? -1 : 1;
    return new UnitTerm(unit, term, previous, holders, history, heirs(heirs, holders), epoch);
  }

  private static List<String> heirs(long bits, List<String> holders) {
    List<String> heirs = new ArrayList<>();
    for (int i = 0; i < holders.size(); i++) {
      if ((bits >>> i & 1) != 0) {
        heirs.add(holders.get(i));
      }
    }
    return heirs;
  }

  private static List<String> read(DataInputStream in) throws IOException {
    int length = in.readUnsignedByte();
    if (length > LIST_MAX) {
      throw new IOException("the record of terms names " + length + " nodes");
    }
    List<String> uuids = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      uuids.add(in.readUTF());
    }
    return uuids;
  }
}
