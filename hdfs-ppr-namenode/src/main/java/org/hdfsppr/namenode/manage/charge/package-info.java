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
 * Decides whether repairs are scheduled by this NameNode or by stock: when it is active, whether
 * enough DataNodes take part, whether it has listened for long enough, and which policies it can
 * claim. A single group's hand-over to stock is in {@code endings}. No repair is planned or ended
 * here.
 */
package org.hdfsppr.namenode.manage.charge;
