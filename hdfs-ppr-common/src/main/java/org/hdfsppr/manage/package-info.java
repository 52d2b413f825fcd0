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
 * The messages between DataNodes and a NameNode's repair manager. Each message is a class that
 * encodes itself and checks what a node receives. DataNodes send loads and results, and the manager
 * sends commands. A second jar adds kinds of commands, with a {@code CommandKind} for each. How a
 * DataNode or a manager reacts to a message does not belong in this package.
 */
package org.hdfsppr.manage;
