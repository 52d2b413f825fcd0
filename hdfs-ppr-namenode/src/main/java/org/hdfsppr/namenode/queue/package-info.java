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
 * The interface to the NameNode's queue of lost groups, without Hadoop's types: which groups have
 * lost units, which repairs begin and end, which groups stock may repair.
 * {@code BlockManagerAccess}, in Hadoop's package, implements the interface, and tests replace it
 * by a simulated queue. No class here decides when a group is repaired.
 */
package org.hdfsppr.namenode.queue;
