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
 * With the commit strategy {@code parix}, a DataNode with a parity unit keeps, in addition to its
 * update log, the bytes that updates of data units have overwritten. From these and the log it
 * calculates the changes of the parity unit. They need not be synced, and may be dropped at any
 * time: a commit that does not find them here gets the changes from the data units' nodes.
 */
package org.hdfsppr.datanode.update.old;
