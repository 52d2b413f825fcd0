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
package org.hdfsppr.operate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The calls of users' commands and clients to the plugin of the active NameNode. The plugin of any
 * other NameNode answers all calls but {@link #features} with a StandbyException. A caller that got
 * no answer may repeat every call.
 */
@InterfaceAudience.Private
public interface PprClientProtocol extends ConversionProtocol, CoreProtocol, UpdateProtocol,
    CommitProtocol, FeatureProtocol, LeftoverProtocol, FinalizeProtocol {
}
