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
 * the moment that is wanted, and how many versions pass it first. The NameNode renames the file to
 * {@code stopped} when the next version reaches that moment, which happens once. The NameNode goes
 * on when the test deletes {@code stopped}.
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

  /** What {@code stop} said when a version last read it. */
  private String wish = "";

  /** How many versions may still pass the moment of the wish. */
  private int passes;

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
    request(point, 0);
  }

  /**
   * Stops the next version that reaches a moment, after some versions have passed it. A NameNode
   * that starts again counts anew.
   *
   * @param point the moment
   * @param pass how many versions pass it first; a version may reach a moment several times
   * @throws IOException if the file cannot be written
   */
  public void request(VersionPoint point, int pass) throws IOException {
    clear();
    Path whole = stop.resolveSibling("stop.new");
    Files.createDirectories(stop.getParent());
    // The time makes two equal wishes different, so that the second one is counted anew.
    Files.writeString(whole, String.join(" ", point.name(), Integer.toString(pass),
        Long.toString(System.nanoTime())));
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
      if (!isWanted(point, Files.readString(stop))) {
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

  private synchronized boolean isWanted(VersionPoint point, String wanted) {
    String[] words = wanted.split(" ");
    if (!words[0].equals(point.name())) {
      return false;
    }
    if (!wanted.equals(wish)) {
      wish = wanted;
      passes = Integer.parseInt(words[1]);
    }
    return passes-- <= 0;
  }
}
