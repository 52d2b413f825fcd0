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
 * Records in the namespace: extended attributes, which only superusers can read, with what hdfs-ppr
 * has to know after a NameNode's end. {@link org.hdfsppr.namenode.record.RecordStore} reads and
 * changes them. What a record says is known to the packages of conversions, versions, CORE groups
 * and updates.
 */
package org.hdfsppr.namenode.record;
