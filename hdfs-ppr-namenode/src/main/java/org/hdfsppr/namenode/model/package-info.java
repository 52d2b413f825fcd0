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
 * Immutable values that the other packages of the NameNode module exchange: a group that has lost
 * units, its policy, the repair that a scheduler proposes for it, and the scope of that repair. The
 * state of a running repair is in {@code track}. The values use neither a clock nor the network.
 */
package org.hdfsppr.namenode.model;
