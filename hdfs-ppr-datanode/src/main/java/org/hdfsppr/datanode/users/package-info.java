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
 * Makes repairs yield to users where they share this DataNode's link: what users move, what repairs
 * may have beside them, and the waits and bounds of sockets that follow. Which repairs begin, and
 * where, belongs to the NameNode. Operators' fixed limits belong to stock's throttlers.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.users;

import org.apache.hadoop.classification.InterfaceAudience;
