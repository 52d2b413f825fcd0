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
package org.hdfsppr.bench.characterize;

/** What the program that asks for bytes has measured of them. Immutable. */
final class LoadResult {
  final long bytes;
  final long requests;
  final double seconds;
  final double meanMs;
  final double p99Ms;
  final double flushMs;
  final AskedBytes progress;

  /**
   * @param bytes the bytes of all requests that were answered
   * @param requests how many these are
   * @param seconds from the first request until the last answer, or that of the flush behind it
   * @param meanMs mean time of a request
   * @param p99Ms the time that 99 of 100 requests do not exceed
   * @param flushMs mean time of a flush, or the time until the file was closed; NaN without any
   * @param progress the bytes over time
   */
  LoadResult(long bytes, long requests, double seconds, double meanMs, double p99Ms,
      double flushMs, AskedBytes progress) {
    this.bytes = bytes;
    this.requests = requests;
    this.seconds = seconds;
    this.meanMs = meanMs;
    this.p99Ms = p99Ms;
    this.flushMs = flushMs;
    this.progress = progress;
  }
}
