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
package org.hdfsppr.client.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes, with Hadoop's suffixes for sizes. */
@InterfaceAudience.Private
final class SizeWords implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgt]?)");
  private static final int BITS_PER_STEP = 10;
  /** 1024t, which is more than a device of a million objects has. */
  private static final long MOST = 1L << 50;

  @Override
  public Long convert(String value) {
    Matcher words = SIZE.matcher(value.toLowerCase(Locale.ROOT));
    if (words.matches()) {
      int bits = BITS_PER_STEP
          * (words.group(2).isEmpty() ? 0 : "kmgt".indexOf(words.group(2)) + 1);
      long number = Long.parseLong(words.group(1));
      if (number > 0 && number <= MOST >> bits) {
        return number << bits;
      }
    }
    throw new TypeConversionException("'" + value + "' is no number of bytes from 1 to 1024t, such"
        + " as 64m or 10g");
  }
}
