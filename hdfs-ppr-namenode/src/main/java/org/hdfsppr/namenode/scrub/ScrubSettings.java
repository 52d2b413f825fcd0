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
package org.hdfsppr.namenode.scrub;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.conf.WrongSettingException;
import org.hdfsppr.manage.ScrubCommand;

/** The settings of checks in the background. Immutable. */
@InterfaceAudience.Private
public final class ScrubSettings {
  /**
   * The time between the starts of two passes. If the rate permits, each group is checked once a
   * week. The load of checks depends only on the rate.
   */
  private static final long INTERVAL_MS = TimeUnit.DAYS.toMillis(7);
  /**
   * How many paths may be set at most. They are checked one after the other, and each has a row on
   * the web page.
   */
  static final int PATHS_MAX = 64;

  /** How many bytes of units each DataNode may read for checks, bytes/s; 0 for no checks */
  public final long bytesPerSecond;
  /** Absolute paths of what is checked, one after the other */
  public final List<String> paths;
  /** Time from the start of a pass over a path to the start of the next one, ms */
  public final long intervalMs;

  public ScrubSettings(long bytesPerSecond, Collection<String> paths, long intervalMs) {
    this.bytesPerSecond = bytesPerSecond;
    this.paths = Collections.unmodifiableList(new ArrayList<>(paths));
    this.intervalMs = intervalMs;
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message has the key, the value
   *     and the values that are allowed
   */
  public static ScrubSettings of(Configuration conf) {
    SettingsReader settings = new SettingsReader(conf);
    return new ScrubSettings(
        settings.numberOrZero(PprKeys.NAMENODE_SCRUB_RATE_KEY,
            PprKeys.NAMENODE_SCRUB_RATE_DEFAULT, ScrubCommand.BYTES_PER_SECOND_MIN,
            ScrubCommand.BYTES_PER_SECOND_MAX),
        paths(conf.getTrimmedStringCollection(PprKeys.NAMENODE_SCRUB_PATHS_KEY)),
        INTERVAL_MS);
  }

  private static Collection<String> paths(Collection<String> texts) {
    Collection<String> paths = new LinkedHashSet<>();
    for (String text : texts) {
      if (!text.startsWith(Path.SEPARATOR)) {
        throw new WrongSettingException(PprKeys.NAMENODE_SCRUB_PATHS_KEY + ": '" + text
            + "' is no absolute path; set paths of this file system that begin with /, with commas"
            + " in between");
      }
      // A path that begins with two slashes would be the name of a host.
      paths.add(new Path(text.replaceAll("/+", Path.SEPARATOR)).toUri().getPath());
    }
    if (paths.isEmpty()) {
      paths.add(PprKeys.NAMENODE_SCRUB_PATHS_DEFAULT);
    }
    if (paths.size() > PATHS_MAX) {
      throw new WrongSettingException(PprKeys.NAMENODE_SCRUB_PATHS_KEY + " has " + paths.size()
          + " paths; set at most " + PATHS_MAX);
    }
    return paths;
  }

  /** @return whether anything is checked */
  public boolean isOn() {
    return bytesPerSecond > 0;
  }
}
