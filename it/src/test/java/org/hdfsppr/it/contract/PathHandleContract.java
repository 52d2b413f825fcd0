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
package org.hdfsppr.it.contract;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/**
 * One of {@link StripedContracts}, for all that a handle can hold fast. Hadoop 3.5 gives parameters
 * to its tests in another way.
 */
public class PathHandleContract extends AbstractContractPathHandleTest {
  public PathHandleContract(String name, Options.HandleOpt[] options, boolean serialized) {
    super(name, options, serialized);
  }

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new StripedContract(conf);
  }
}
