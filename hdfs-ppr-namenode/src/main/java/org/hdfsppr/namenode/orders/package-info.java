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
 * Which orders this NameNode has given to DataNodes, and their results. Checks, and the commands of
 * an extension, are such orders. Repairs are not: they have more states than an order, which
 * {@code org.hdfsppr.namenode.track} keeps.
 */
@InterfaceAudience.Private
package org.hdfsppr.namenode.orders;

import org.apache.hadoop.classification.InterfaceAudience;
