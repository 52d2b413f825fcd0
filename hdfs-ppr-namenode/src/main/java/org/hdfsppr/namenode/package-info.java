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
/**
 * The NameNode's plugin: the class that Hadoop loads and that starts and stops everything else of
 * this module. {@code model} holds the values that all packages below share, and {@code queue} the
 * interface to the NameNode's queue of lost groups. {@code schedule} plans repairs, {@code track}
 * remembers repairs and groups, {@code manage} runs the manager's cycle, and {@code rpc} talks with
 * DataNodes. The jar of {@code files} adds its parts through {@code extend}. Code that runs in a
 * DataNode or a client does not belong here. Code that needs Hadoop's package-private members is in
 * Hadoop's packages.
 */
package org.hdfsppr.namenode;
