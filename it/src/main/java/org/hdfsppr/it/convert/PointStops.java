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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionPoint;

/**
 * Stops a NameNode of a test at a named moment of a version, until the test lets it go on or kills
 * it. The test and the NameNode's process talk through two files in one folder: {@code stop} names
 * the moment that is wanted, and the NameNode renames it to {@code stopped} when a version reaches
 * that moment, which happens once. The NameNode goes on when the test deletes {@code stopped}.
 */
@InterfaceAudience.Private
public final class PointStops implements VersionHook {

  /** A setting of this harness: the folder. It stands in the NameNodes' configuration. */
  public static final String FOLDER_KEY = "hdfsppr.it.stops.dir";

  private static final Duration POLL = Duration.ofMillis(20);

  /** A NameNode that no test releases goes on after this time, so that it never hangs for ever. */
  private static final Duration RELEASE_LIMIT = Duration.ofMinutes(5);

  private final Path stop;
  private final Path stopped;

  /**
   * @param folder the folder of the two files
   */
  public PointStops(Path folder) {
    this.stop = folder.resolve("stop");
    this.stopped = folder.resolve("stopped");
  }

  /**
   * Lets the next version that reaches a moment stop there.
   *
   * @param point the moment
   * @throws IOException if the file cannot be written
   */
  public void request(VersionPoint point) throws IOException {
    clear();
    Path whole = stop.resolveSibling("stop.new");
    Files.createDirectories(stop.getParent());
    Files.writeString(whole, point.name());
    Files.move(whole, stop, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Waits until a version has stopped.
   *
   * @param limit the longest time to wait
   * @throws TimeoutException if no version stops in time
   * @throws IOException if a file cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void awaitStopped(Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("a version stops at the wanted moment", limit, POLL, () -> Files.exists(stopped));
  }

  /** {@return whether a version has stopped, and was not released} */
  public boolean isStopped() {
    return Files.exists(stopped);
  }

  /**
   * Lets a stopped version go on, and wants no other to stop.
   *
   * @throws IOException if a file cannot be deleted
   */
  public void clear() throws IOException {
    Files.deleteIfExists(stop);
    Files.deleteIfExists(stopped);
  }

  /** Runs in the NameNode's process. */
  @Override
  public void reached(VersionPoint point, String path) {
    try {
      if (!Files.readString(stop).equals(point.name())) {
        return;
      }
      Files.move(stop, stopped, StandardCopyOption.ATOMIC_MOVE);
      Await.until(point + " of " + path + " is released", RELEASE_LIMIT, POLL,
          () -> !Files.exists(stopped));
    } catch (NoSuchFileException e) {
      // No stop is wanted, or another version has just stopped.
      return;
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("at " + point + " of " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
