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

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The rate of a link. Its text is a rate in the format of {@code tc}, such as {@code 200mbit}, or
 * {@code none} for a link that is not shaped.
 */
@InterfaceAudience.Private
public final class Rate {

  /** The rate of a link that is not shaped. */
  public static final Rate UNLIMITED = new Rate(0);

  private static final Pattern WORDS = Pattern.compile("(\\d+(?:\\.\\d+)?)(kbit|mbit|gbit)");

  /** Bits per second; 0 if the rate is not limited. */
  private final long bitsPerSecond;

  private Rate(long bitsPerSecond) {
    this.bitsPerSecond = bitsPerSecond;
  }

  /**
   * Parses a rate such as {@code 200mbit}. The prefixes are decimal, as in tc.
   *
   * @param words a number with kbit, mbit or gbit, or none
   * @return the rate
   */
  public static Rate parse(String words) {
    String text = words.toLowerCase(Locale.ROOT);
    if (text.equals("none")) {
      return UNLIMITED;
    }
    Matcher matcher = WORDS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "Not a rate: '" + words + "'; like 200mbit, 1gbit or none");
    }
    long unit = matcher.group(2).equals("gbit") ? 1_000_000_000L
        : matcher.group(2).equals("mbit") ? 1_000_000L : 1_000L;
    // Rounds to whole kilobits, so that toString loses nothing.
    long bits = Math.round(Double.parseDouble(matcher.group(1)) * unit / 1000) * 1000;
    if (bits < 100_000L) {
      throw new IllegalArgumentException(
          "'" + words + "' is below 100kbit: heartbeats alone would fill such a link");
    }
    return new Rate(bits);
  }

  /** {@return true if links with this rate are not shaped} */
  public boolean isUnlimited() {
    return bitsPerSecond == 0;
  }

  /**
   * {@return the rate in bits per second; throws an IllegalStateException if the rate is unlimited}
   */
  public long bitsPerSecond() {
    if (isUnlimited()) {
      throw new IllegalStateException("unlimited");
    }
    return bitsPerSecond;
  }

  /**
   * {@return how many seconds a transfer of {@code bytes} takes at this rate, if headers are not
   * counted}
   *
   * @param bytes how many bytes are transferred
   */
  public double secondsFor(long bytes) {
    return bytes * 8.0 / bitsPerSecond();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rate && ((Rate) other).bitsPerSecond == bitsPerSecond;
  }

  @Override
  public int hashCode() {
    return Objects.hash(bitsPerSecond);
  }

  /** Returns a text that {@link #parse} converts back to this rate. */
  @Override
  public String toString() {
    if (isUnlimited()) {
      return "none";
    }
    if (bitsPerSecond % 1_000_000_000L == 0) {
      return bitsPerSecond / 1_000_000_000L + "gbit";
    }
    return bitsPerSecond % 1_000_000L == 0 ? bitsPerSecond / 1_000_000L + "mbit"
        : bitsPerSecond / 1000L + "kbit";
  }
}
