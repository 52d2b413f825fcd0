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
 * Decides whether this NameNode's repair manager or stock schedules repairs. This depends on
 * whether the NameNode is active, whether enough DataNodes take part, whether the NameNode has
 * listened for long enough, which policies it can claim, and whether the namespace has records that
 * no jar of this NameNode reads. The hand-over of a single group to stock is in {@code endings}.
 * These classes neither plan nor end repairs.
 */
package org.hdfsppr.namenode.manage.charge;
