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
package org.hdfsppr.bench;

import java.util.Map;

import org.hdfsppr.bench.papers.PapersCommand;
import org.hdfsppr.it.util.TestScriptHelp;

/** Compares the stored help of {@code bench.sh} and {@code papers.sh} with the tools. */
class TestBenchHelp extends TestScriptHelp {
  @Override
  protected String module() {
    return "bench";
  }

  @Override
  protected Map<String, Class<?>> tools() {
    return Map.of("bench.sh", Bench.class, "papers.sh", PapersCommand.class);
  }
}
