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
 * The manager's state as operators see it: the immutable status of each cycle, and the metrics and
 * the MBean that show it. These classes decide nothing and do not read the state of the manager's
 * parts; the cycle passes in the values to show.
 */
package org.hdfsppr.namenode.manage.status;
