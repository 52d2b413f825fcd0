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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;


/** Reads a meter when it is opened, each second after that, and when it is ended. */
final class UsageSeries implements AutoCloseable {
  private static final int PERIOD_MS = 1000;
  /** A reading of some twenty processes takes a tenth of a second on a busy machine. */
  private static final int END_MS = 30_000;

  private final UsageMeter meter;
  private final List<Usage> readings = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::readUntilEnd, "usage of a cluster");
  private IOException failure;

  private UsageSeries(UsageMeter meter) {
    this.meter = meter;
  }

  static UsageSeries open(UsageMeter meter) throws IOException, InterruptedException {
    UsageSeries series = new UsageSeries(meter);
    series.readings.add(meter.read());
    series.thread.setDaemon(true);
    series.thread.start();
    return series;
  }

  private void readUntilEnd() {
    long next = System.nanoTime();
    try {
      while (true) {
        next += TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
        if (end.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return;
        }
        Usage reading = meter.read();
        synchronized (this) {
          readings.add(reading);
        }
      }
    } catch (IOException e) {
      synchronized (this) {
        failure = e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the series with a last reading.
   *
   * @return all readings
   * @throws IOException if a reading has failed
   * @throws InterruptedException if the calling thread is interrupted
   */
  List<Usage> end() throws IOException, InterruptedException {
    close();
    thread.join(END_MS);
    Usage last = meter.read();
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
      readings.add(last);
      return List.copyOf(readings);
    }
  }

  /** Ends the series. Its readings are not wanted. */
  @Override
  public void close() {
    end.countDown();
  }
}
