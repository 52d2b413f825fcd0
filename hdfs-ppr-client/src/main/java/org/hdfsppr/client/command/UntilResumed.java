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

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The option that says how long a command has an effect: for a time, or until {@code hdfs ppr
 * -resume}.
 */
final class UntilResumed {
  @Option(names = "-for", paramLabel = "DURATION", converter = LengthOfTime.class,
      description = "Until this time has passed, such as 90s, 30m, 1h30m or 2d. Without it, until"
          + " hdfs ppr -resume.")
  private Long milliseconds;

  /**
   * Returns the time, ms, as a text for the NameNodes; null if the command has an effect until
   * {@code hdfs ppr -resume}.
   */
  String argument() {
    return milliseconds == null ? null : String.valueOf(milliseconds);
  }

  /** Reads how long a command has an effect, ms. */
  static final class LengthOfTime implements ITypeConverter<Long> {
    private static final long MS = 1000;
    /** NameNodes accept no longer time. */
    private static final long SECONDS_MAX = 30L * 86_400;

    @Override
    public Long convert(String value) {
      long seconds = TimeWords.seconds(value);
      if (seconds < 1 || seconds > SECONDS_MAX) {
        throw new TypeConversionException("'" + value + "' is no length of time from 1s to 30d,"
            + " such as 90s, 30m, 1h30m or 2d");
      }
      return seconds * MS;
    }
  }
}
