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

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.hdfsppr.operate.proto.ClientProtos.ConversionCountsProto;

/** What a conversion job has done so far; for a dry run, what it would do. Immutable. */
@InterfaceAudience.Private
public final class ConversionCounts {
  /** Nothing. */
  public static final ConversionCounts NONE =
      new ConversionCounts(new EnumMap<>(Number.class), new TreeMap<>());
  /**
   * How many reasons of refusals are counted separately at most. The plugin has fewer. Further
   * reasons, which only a message from elsewhere can have, count as {@code other}.
   */
  public static final int REASONS_MAX = 64;
  private static final String OTHERS = "other";

  /** What is counted. The names are those of the message's fields. */
  public enum Number {
    /** Files that are converted, or would be. */
    CONVERTED,
    /** Files that already had the policy before the job. */
    ALREADY,
    /** Files that users changed, moved or deleted while they were converted. */
    CHANGED,
    /** Files whose conversion failed, because the new version could not be made. */
    FAILED,
    /** Directories whose policy the job has changed, or would change. */
    DIRECTORIES,
    /** Bytes of file data in all files that the job has finished, converted or not. */
    BYTES_PASSED,
    /** Bytes of file data in converted files. */
    BYTES_CONVERTED,
    /** Block groups of converted files. */
    GROUPS,
    /**
     * Bytes of units that are hard links of units of the old version, and take no further space on
     * the disk.
     */
    BYTES_LINKED,
    /** Bytes of units that a DataNode copied, because it could not link them. */
    BYTES_COPIED,
    /** Bytes of units that were calculated from other units. */
    BYTES_MADE,
    /** Bytes that went over the network between DataNodes. */
    BYTES_MOVED,
    /** Bytes that the converted files took on disks before the conversion. */
    SPACE_BEFORE,
    /** Bytes that the converted files take on disks now. */
    SPACE_AFTER,
    /**
     * Bytes that it would have taken, before the conversion, to rebuild every unit of the converted
     * files once.
     */
    REPAIR_BEFORE,
    /** Bytes that it takes now to rebuild every unit of the converted files once. */
    REPAIR_AFTER;

    /** The field of the message that has this number; documents and records use its name, too */
    public final FieldDescriptor field = ConversionCountsProto.getDescriptor()
        .findFieldByName(name().toLowerCase(Locale.ROOT));
  }

  private final EnumMap<Number, Long> numbers;
  /** How many files and directories were refused, for each reason */
  public final Map<String, Long> refused;

  private ConversionCounts(EnumMap<Number, Long> numbers, TreeMap<String, Long> refused) {
    this.numbers = numbers;
    this.refused = Collections.unmodifiableMap(refused);
  }

  static ConversionCounts parse(ConversionCountsProto proto) {
    EnumMap<Number, Long> numbers = new EnumMap<>(Number.class);
    for (Number number : Number.values()) {
      add(numbers, number, (long) proto.getField(number.field));
    }
    TreeMap<String, Long> refused = new TreeMap<>();
    proto.getRefusedList().forEach(one -> add(refused, one.getReason(), one.getFiles()));
    return new ConversionCounts(numbers, refused);
  }

  /** @return the message */
  public ConversionCountsProto toProto() {
    ConversionCountsProto.Builder proto = ConversionCountsProto.newBuilder();
    for (Number number : Number.values()) {
      proto.setField(number.field, get(number));
    }
    return proto.addAllRefused(ReasonCounts.toProtos(refused)).build();
  }

  private static void add(EnumMap<Number, Long> sums, Number number, long value) {
    if (value != 0) {
      sums.merge(number, value, ConversionCounts::sum);
    }
  }

  private static void add(TreeMap<String, Long> sums, String reason, long files) {
    String name = sums.containsKey(reason) || sums.size() < REASONS_MAX - 1 ? reason : OTHERS;
    sums.merge(name, files, ConversionCounts::sum);
  }

  /**
   * Adds two counts. If the sum is too large for a long, it is the greatest long, and not negative.
   */
  private static long sum(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * @param number what is counted
   * @return the count
   */
  public long get(Number number) {
    return numbers.getOrDefault(number, 0L);
  }

  /** @return how many files and directories were refused for any reason */
  public long refusedInAll() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  /** @return how many files the job has finished, converted or not */
  public long files() {
    return get(Number.CONVERTED) + get(Number.ALREADY) + get(Number.CHANGED)
        + get(Number.FAILED) + refusedInAll();
  }

  /**
   * @param number what is counted
   * @param value how much to add
   * @return these counts with the addition
   */
  public ConversionCounts plus(Number number, long value) {
    EnumMap<Number, Long> sums = numbers.clone();
    add(sums, number, value);
    return new ConversionCounts(sums, new TreeMap<>(refused));
  }

  /**
   * @param reason why files or directories were refused
   * @param files how many files or directories to add
   * @return these counts with the addition
   */
  public ConversionCounts plusRefused(String reason, long files) {
    TreeMap<String, Long> sums = new TreeMap<>(refused);
    add(sums, reason, files);
    return new ConversionCounts(numbers, sums);
  }

  /**
   * @param other other counts
   * @return these counts with the addition
   */
  public ConversionCounts plus(ConversionCounts other) {
    EnumMap<Number, Long> sums = numbers.clone();
    other.numbers.forEach((number, value) -> add(sums, number, value));
    TreeMap<String, Long> reasons = new TreeMap<>(refused);
    other.refused.forEach((reason, files) -> add(reasons, reason, files));
    return new ConversionCounts(sums, reasons);
  }

  @Override
  public String toString() {
    return numbers + ", refused " + refused;
  }
}
