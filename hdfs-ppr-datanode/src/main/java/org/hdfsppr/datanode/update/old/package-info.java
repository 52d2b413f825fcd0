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
 * What a DataNode with a parity unit keeps under the strategy PARIX beside its update log: the
 * bytes that updates of data units have overwritten. They are no part of what was acknowledged. A
 * commit that does not find them here gets changes from the data units' nodes, so that nothing has
 * to be on the disk, and that anything may be dropped at any time.
 */
package org.hdfsppr.datanode.update.old;
