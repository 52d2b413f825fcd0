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
 * Makes repairs yield to users on this DataNode's network link. The classes that measure how much
 * users move, decide how much repairs may move beside them, and make repairs wait belong here. The
 * NameNode decides which repairs begin, and where. The fixed limits that operators set belong to
 * stock's throttlers.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.users;

import org.apache.hadoop.classification.InterfaceAudience;
