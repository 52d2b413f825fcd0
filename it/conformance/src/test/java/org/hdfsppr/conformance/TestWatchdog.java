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
package org.hdfsppr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** The alarm must go off for what hangs, and for nothing else. */
@InterfaceAudience.Private
class TestWatchdog {
  private final ScheduledExecutorService scheduler = mock(ScheduledExecutorService.class);
  private final List<String> hung = new ArrayList<>();
  private final Watchdog watchdog = new Watchdog(scheduler, hung::add);

  private ScheduledFuture<?> nextAlarm() {
    ScheduledFuture<?> alarm = mock(ScheduledFuture.class);
    doReturn(alarm).when(scheduler).schedule(any(Runnable.class), anyLong(), any());
    return alarm;
  }

  @Test
  void whatHangsIsNamed() {
    nextAlarm();
    watchdog.began("a", 7);
    ArgumentCaptor<Runnable> alarm = ArgumentCaptor.forClass(Runnable.class);
    verify(scheduler).schedule(alarm.capture(), eq(7L), eq(TimeUnit.SECONDS));
    alarm.getValue().run();
    assertEquals(List.of("a"), hung);
  }

  @Test
  void whatEndsIsForgotten() {
    ScheduledFuture<?> first = nextAlarm();
    watchdog.began("a", 7);
    ScheduledFuture<?> second = nextAlarm();
    watchdog.began("b", 7);
    watchdog.ended("a");
    verify(first).cancel(false);
    verify(second, never()).cancel(false);
    watchdog.ended("never began");
  }
}
