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
 * Under the strategy PARIX, a DataNode with a parity unit keeps, in addition to its update log, the
 * bytes that updates of data units have overwritten. No acknowledgement depends on them: a commit
 * that does not find them here gets changes from the data units' nodes. So they need not be synced,
 * and may be dropped at any time.
 */
package org.hdfsppr.datanode.update.old;
