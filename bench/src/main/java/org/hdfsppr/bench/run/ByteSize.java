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
package org.hdfsppr.bench.run;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine.ITypeConverter;

/** Parses sizes in the format of {@code dd} and Hadoop, in which 64m means 64 MiB. */
@InterfaceAudience.Private
public final class ByteSize implements ITypeConverter<Long> {
  private static final String UNITS = " kmg";
  private static final Pattern WORDS = Pattern.compile("(\\d+)([kmg]?)");

  @Override
  public Long convert(String value) {
    Matcher matcher = WORDS.matcher(value.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not a size: '" + value + "'; like 64m");
    }
    int shift = UNITS.indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2)) * 10;
    return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
  }

  /** Writes a size as command lines have it: 64m, or 1000 if it is not a multiple of 1 KiB. */
  public static String words(long bytes) {
    int unit = 0;
    while (unit < UNITS.length() - 1 && bytes != 0 && bytes % (1L << 10 * (unit + 1)) == 0) {
      unit++;
    }
    return (bytes >> 10 * unit) + UNITS.substring(unit, unit + 1).trim();
  }
}
