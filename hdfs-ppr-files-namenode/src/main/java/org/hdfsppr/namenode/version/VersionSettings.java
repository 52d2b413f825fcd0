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
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.wire.RequestBounds;

/** The settings for making versions. Immutable. */
@InterfaceAudience.Private
public final class VersionSettings {
  /**
   * The largest value of {@link #concurrent}. Each version looks ten times a second how far it is,
   * and the NameNode's lock has to bear that.
   */
  static final int CONCURRENT_MAX = 1_024;

  /** How many versions are made at a time; 0 if none are made */
  public final int concurrent;
  /** Bytes that all makings together may move, bytes/s; 0 for no limit */
  public final long bytesPerSecond;
  /** How many bytes of units one node may read or write for makings, bytes/s */
  public final long nodeBytesPerSecond;

  public VersionSettings(int concurrent, long bytesPerSecond, long nodeBytesPerSecond) {
    this.concurrent = concurrent;
    this.bytesPerSecond = bytesPerSecond;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message names the key, the
   *     value and the allowed values
   */
  public static VersionSettings of(Configuration conf) {
    SettingsReader settings = new SettingsReader(conf);
    return new VersionSettings(
        settings.intNumber(PprKeys.NAMENODE_VERSION_CONCURRENT_KEY,
            PprKeys.NAMENODE_VERSION_CONCURRENT_DEFAULT, 0, CONCURRENT_MAX),
        settings.numberOrZero(PprKeys.NAMENODE_VERSION_RATE_KEY,
            PprKeys.NAMENODE_VERSION_RATE_DEFAULT, RequestBounds.BYTES_PER_SECOND_MIN,
            RequestBounds.BYTES_PER_SECOND_MAX),
        settings.number(PprKeys.NAMENODE_VERSION_NODE_RATE_KEY,
            PprKeys.NAMENODE_VERSION_NODE_RATE_DEFAULT, RequestBounds.BYTES_PER_SECOND_MIN,
            RequestBounds.BYTES_PER_SECOND_MAX));
  }
}
