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
 * Decides which files form CORE groups: t closed files of a directory with the same policy and
 * similar lengths, so that the parity file is not much longer than their mean. Groups that still
 * fit stay as they are. The files of all other groups are grouped again. This package does not read
 * the namespace and moves no bytes, so that its classes also run in a MapReduce job and in a
 * simulation.
 */
package org.hdfsppr.core.formation;
