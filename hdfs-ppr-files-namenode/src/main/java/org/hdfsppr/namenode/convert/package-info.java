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
 * Converts files to other codes. A user submits a job, which names paths and an erasure coding
 * policy. {@code ConversionRpcHandler} takes the calls of users and checks them.
 * {@code ConversionJobs} has all jobs, and takes their steps on a thread of its own. A
 * {@code ConversionJob} walks over its files, and asks the {@code VersionEngine} for a version of
 * each. {@code JobStore} keeps a {@code JobRecord} of each job in the namespace, so that jobs go on
 * after a restart or a failover.
 */
package org.hdfsppr.namenode.convert;
