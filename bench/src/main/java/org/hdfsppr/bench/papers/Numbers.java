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
package org.hdfsppr.bench.papers;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;


/** Writes numbers for the page. */
final class Numbers {
  private static final int DIGITS = 4;
  private static final double PLAIN_MIN = 1e-3;
  private static final double PLAIN_MAX = 1e9;

  private Numbers() {
  }

  /** {@return a number with at most four digits that say something} */
  static String text(double value) {
    if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
      return value == 0 ? "0" : Double.toString(value);
    }
    if (Math.abs(value) < PLAIN_MIN || Math.abs(value) >= PLAIN_MAX) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(
        Math.max(DIGITS, (int) Math.ceil(Math.log10(Math.abs(value)))), RoundingMode.HALF_UP));
    return rounded.stripTrailingZeros().toPlainString();
  }

  /** {@return the paper's value, as the paper prints it: a number, or a range} */
  static String text(PaperValue value) {
    return printed(value.value) + value.most().map(most -> " to " + printed(most)).orElse("");
  }

  private static String printed(double value) {
    return value != 0 && Math.abs(value) < PLAIN_MIN ? text(value)
        : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** {@return the median, and the spread if runs differ} */
  static String text(Measured measured) {
    String median = text(measured.median);
    if (measured.count == 1) {
      return median;
    }
    return median + " (" + text(measured.least) + " to " + text(measured.most) + ", "
        + measured.count + " values)";
  }
}
