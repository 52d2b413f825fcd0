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
 * Receives a superuser's commands by the NameNode's generic refresh protocol: checks the caller and
 * the arguments, and waits for the manager's thread for a bounded time. There is a small class for
 * each command, and {@code OperatorRefreshHandler} has a table of them. The interface
 * {@code SuperuserOperations}, which {@code manage} implements, carries out the commands. Commands
 * that only show something read the published status and do not use this package.
 */
package org.hdfsppr.namenode.manage.operator;
