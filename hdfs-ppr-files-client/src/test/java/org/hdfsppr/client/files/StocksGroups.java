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
package org.hdfsppr.client.files;

import java.io.Closeable;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The block groups that the plugin has left to stock, which knows no columns. */
final class StocksGroups implements Closeable {
  private static final Pattern LEFT =
      Pattern.compile("blk_(-\\d+)_\\d+ of \\S+, lost \\[[^]]*] is left to stock");
  private static final Logger LOG = LoggerFactory.getLogger(StockHandOver.class);

  private final GenericTestUtils.LogCapturer log;
  private final Set<Long> groups = new HashSet<>();

  StocksGroups() {
    GenericTestUtils.setLogLevel(LOG, Level.DEBUG);
    log = GenericTestUtils.LogCapturer.captureLogs(LOG);
  }

  /** Returns the block groups that were left to stock since the start. */
  Set<Long> all() {
    Matcher left = LEFT.matcher(log.getOutput());
    while (left.find()) {
      groups.add(Long.parseLong(left.group(1)));
    }
    return groups;
  }

  @Override
  public void close() {
    log.stopCapturing();
    GenericTestUtils.setLogLevel(LOG, Level.INFO);
  }
}
