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
 * Decides what follows when a repair ends, with success or without. The classes give back the
 * repair's load and grant. The group then waits again, goes to stock, or is doubted and held back
 * from stock. Rules that need no action are in {@code track}. These classes begin no repair.
 */
package org.hdfsppr.namenode.manage.endings;
