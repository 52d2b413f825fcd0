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

/** What processes have used since their start, or between two readings. Immutable. */
final class ProcessUsage {
  static final ProcessUsage NONE = new ProcessUsage(0, 0, 0, 0, 0, 0);

  final double userSeconds;
  final double systemSeconds;
  final long waits;
  final long preemptions;
  final long readBytes;
  final long writtenBytes;

  /**
   * @param userSeconds processor time in user mode
   * @param systemSeconds processor time in the kernel, without interrupts
   * @param waits context switches because a thread had to wait ("voluntary")
   * @param preemptions context switches because others wanted the processor
   * @param readBytes bytes that were read from storage; what the page cache had does not count
   * @param writtenBytes bytes of pages of files that were made dirty, to be written to storage
   */
  ProcessUsage(double userSeconds, double systemSeconds, long waits, long preemptions,
      long readBytes, long writtenBytes) {
    this.userSeconds = userSeconds;
    this.systemSeconds = systemSeconds;
    this.waits = waits;
    this.preemptions = preemptions;
    this.readBytes = readBytes;
    this.writtenBytes = writtenBytes;
  }

  /** {@return all context switches} */
  long switches() {
    return waits + preemptions;
  }

  ProcessUsage plus(ProcessUsage other) {
    return new ProcessUsage(userSeconds + other.userSeconds, systemSeconds + other.systemSeconds,
        waits + other.waits, preemptions + other.preemptions, readBytes + other.readBytes,
        writtenBytes + other.writtenBytes);
  }

  ProcessUsage since(ProcessUsage earlier) {
    return new ProcessUsage(userSeconds - earlier.userSeconds,
        systemSeconds - earlier.systemSeconds, waits - earlier.waits,
        preemptions - earlier.preemptions, readBytes - earlier.readBytes,
        writtenBytes - earlier.writtenBytes);
  }
}
