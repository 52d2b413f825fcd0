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
 * Describes the tasks of stock's own reconstruction that hdfs-ppr can take over. A task as stock
 * schedules it, its targets and its outcome belong here. The classes that take a task away from
 * stock are in Hadoop's package.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.takeover;

import org.apache.hadoop.classification.InterfaceAudience;
