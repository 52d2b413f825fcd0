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
package org.hdfsppr.namenode.version;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the hook of this process. A test in the same process sets one. A test that runs the
 * NameNode as a process of its own starts it with a system property that names a {@link
 * VersionPoint}; the process halts at that point as if it were killed. In production there is
 * neither, and a moment costs no more than the reading of a field. Thread-safe.
 */
@InterfaceAudience.Private
public final class VersionHooks {
  /**
   * The system property. Its value is the name of a point, optionally followed by a colon and a
   * number. The number says how many times versions pass the point before the process halts there:
   * with {@code PUBLISH_MOVED:2}, it halts at the third time. Without a number, it halts at the
   * first time.
   */
  public static final String HALT_PROPERTY = "hdfs.ppr.test.version.halt";
  /** The exit code of a process that was ended by SIGKILL. */
  private static final int KILLED = 137;
  private static final Logger LOG = LoggerFactory.getLogger(VersionHooks.class);

  private static volatile VersionHook hook = ofProperty(System.getProperty(HALT_PROPERTY));

  private VersionHooks() {
  }

  /** @return a hook that calls the hook that is set at the moment of the call */
  public static VersionHook current() {
    return (point, path) -> hook.reached(point, path);
  }

  /** @param next the hook from now on; {@link VersionHook#NONE} for none */
  public static void set(VersionHook next) {
    hook = Objects.requireNonNull(next, "next");
  }

  static VersionHook ofProperty(String value) {
    if (value == null || value.isEmpty()) {
      return VersionHook.NONE;
    }
    String[] parts = value.split(":");
    VersionPoint wanted = VersionPoint.valueOf(parts[0]);
    AtomicInteger left = new AtomicInteger(parts.length > 1 ? Integer.parseInt(parts[1]) : 0);
    LOG.warn("This NameNode halts when a version reaches {}: a test has set {}", value,
        HALT_PROPERTY);
    return (point, path) -> {
      if (point == wanted && left.getAndDecrement() == 0) {
        Runtime.getRuntime().halt(KILLED);
      }
    };
  }
}
