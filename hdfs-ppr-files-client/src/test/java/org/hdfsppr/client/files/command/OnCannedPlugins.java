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
package org.hdfsppr.client.files.command;

import java.io.IOException;
import org.hdfsppr.client.command.ToolRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Tests of a command that asks the plugins of NameNodes. The tests say what these answer. */
@Timeout(120)
abstract class OnCannedPlugins {
  CannedPlugins plugins;
  ToolRun tool;

  @BeforeEach
  void start() throws IOException {
    plugins = new CannedPlugins();
    tool = new ToolRun(plugins.client());
  }

  @AfterEach
  void stop() {
    plugins.close();
  }
}
