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
 * The commands of {@code hdfs ppr}. Each command has a class, and a base class implements what all
 * commands share. The class {@code NameNodes} sends commands to the NameNodes. A command prints
 * through {@code ToolOutput} only, so that every command also has JSON output. The code with which
 * a NameNode carries out a command is not in this package. A second jar adds commands by a {@code
 * CommandSource}.
 */
package org.hdfsppr.client.command;
