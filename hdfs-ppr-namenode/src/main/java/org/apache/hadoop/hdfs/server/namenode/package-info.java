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
 * The part of the NameNode plugin that needs package-private members of Hadoop's NameNode: the
 * check that a caller is a superuser, and the audit log. Other packages decide what a superuser's
 * command does. This package replaces no class of Hadoop.
 */
package org.apache.hadoop.hdfs.server.namenode;
