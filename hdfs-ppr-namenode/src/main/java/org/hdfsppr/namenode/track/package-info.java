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
 * Remembers repairs, groups and nodes from one cycle to the next: which repairs are under way, what
 * state a group is in, which failures and doubts there were, and what follows from all of these.
 * Each class decides only about its own records. No class here sends messages, writes an operator's
 * log or asks the NameNode. That is the task of the classes in {@code manage}.
 */
package org.hdfsppr.namenode.track;
