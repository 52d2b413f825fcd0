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
package org.hdfsppr.it.convert;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose NameNode halts at a point is seen to halt. */
@Timeout(60)
class TestPointStops {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir
  private Path folder;

  @Test
  void stopsOnceAtTheWantedMoment() throws Exception {
    PointStops test = new PointStops(folder);
    PointStops nameNode = new PointStops(folder);
    nameNode.reached(VersionPoint.LINKED, "/f");
    test.request(VersionPoint.MADE);
    nameNode.reached(VersionPoint.LINKED, "/f");
    assertFalse(test.isStopped(), "another moment was wanted");
    CompletableFuture<Void> version =
        CompletableFuture.runAsync(() -> nameNode.reached(VersionPoint.MADE, "/f"));
    test.awaitStopped(LIMIT);
    assertFalse(version.isDone(), "it waits for its release");
    // A second version does not stop.
    nameNode.reached(VersionPoint.MADE, "/g");
    test.clear();
    version.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertFalse(test.isStopped());
  }

  @Test
  void aClearedWishStopsNothing() throws Exception {
    PointStops test = new PointStops(folder);
    test.request(VersionPoint.MADE);
    test.clear();
    new PointStops(folder).reached(VersionPoint.MADE, "/f");
    assertFalse(test.isStopped());
    test.request(VersionPoint.MADE);
    assertTrue(folder.resolve("stop").toFile().exists());
  }

  @Test
  void someVersionsPassFirst() throws Exception {
    PointStops test = new PointStops(folder);
    PointStops nameNode = new PointStops(folder);
    for (int round = 0; round < 2; round++) {
      test.request(VersionPoint.MADE, 2);
      nameNode.reached(VersionPoint.MADE, "/f");
      nameNode.reached(VersionPoint.LINKED, "/g");
      nameNode.reached(VersionPoint.MADE, "/g");
      assertFalse(test.isStopped(), "two versions pass, in round " + round);
      CompletableFuture<Void> version =
          CompletableFuture.runAsync(() -> nameNode.reached(VersionPoint.MADE, "/h"));
      test.awaitStopped(LIMIT);
      test.clear();
      version.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
