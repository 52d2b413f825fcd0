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
 * What a repair is before anything moves: which blocks are read where, with which coefficients, and
 * the tree along which they are summed up. Planning is pure: no clock, no I/O. How a plan travels
 * ({@code wire}) and runs ({@code stream}) does not belong here.
 */
package org.hdfsppr.plan;
