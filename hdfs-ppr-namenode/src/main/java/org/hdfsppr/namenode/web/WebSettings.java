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
package org.hdfsppr.namenode.web;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;

/** The settings of what the NameNode's web server shows of repairs. Immutable. */
@InterfaceAudience.Private
public final class WebSettings {
  private final boolean enabled;
  private final boolean menu;

  /**
   * @param enabled whether the web server has pages about repairs
   * @param menu whether the menu of the NameNode's own pages has a link to them
   */
  public WebSettings(boolean enabled, boolean menu) {
    this.enabled = enabled;
    this.menu = menu;
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   */
  public static WebSettings of(Configuration conf) {
    SettingsReader settings = new SettingsReader(conf);
    return new WebSettings(
        settings.flag(PprKeys.NAMENODE_WEB_ENABLED_KEY, PprKeys.NAMENODE_WEB_ENABLED_DEFAULT),
        settings.flag(PprKeys.NAMENODE_WEB_MENU_KEY, PprKeys.NAMENODE_WEB_MENU_DEFAULT));
  }

  /** @return whether the web server has pages about repairs */
  public boolean isEnabled() {
    return enabled;
  }

  /** @return whether the menu of the NameNode's own pages has a link to the pages about repairs */
  public boolean hasMenu() {
    return menu;
  }
}
