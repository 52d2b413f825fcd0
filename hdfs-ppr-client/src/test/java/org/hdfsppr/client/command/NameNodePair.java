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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;

/** The configuration of a client of the nameservice {@code ns}, which has two NameNodes. */
public final class NameNodePair {
  private NameNodePair() {
  }

  /** Returns the configuration without addresses. */
  public static Configuration of(String first, String second) {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://ns");
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", first + "," + second);
    conf.set("dfs.client.failover.proxy.provider.ns",
        ConfiguredFailoverProxyProvider.class.getName());
    return conf;
  }
}
