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
 * Hadoop's contract test of path handles, for all kinds of handles; part of
 * {@link StripedContracts}. Hadoop 3.5 passes parameters to this test in another way, so this class
 * stands alone and the build against 3.5 leaves it out.
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
