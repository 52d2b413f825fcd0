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
 * The messages between users' commands or clients and the NameNode's plugin: the calls of {@code
 * PprClientProtocol}, and a class for each message. The {@code parse} of a class checks a message
 * that has arrived, and its {@code toProto} makes the message. In classes with many fields, callers
 * set fields on the builder of the message, which the method {@code with} gives them.
 */
package org.hdfsppr.operate;
