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
 * What users' commands and a NameNode's plugin say to each other: the calls of {@code
 * PprClientProtocol}, and a class for each message. Its {@code parse} checks what arrives, once;
 * its {@code toProto} makes the message. Where there are many fields, callers set them on the
 * message's own builder, in a {@code with}.
 */
package org.hdfsppr.operate;
