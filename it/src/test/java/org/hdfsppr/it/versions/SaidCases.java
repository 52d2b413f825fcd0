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
package org.hdfsppr.it.versions;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Prints each case with its result and seconds as soon as it ends. Classes of this package have up
 * to 142 cases, which take more than an hour, and a report of JUnit comes when all of them have
 * ended.
 */
final class SaidCases implements BeforeEachCallback, TestWatcher {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(SaidCases.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    begun(context).put(context.getUniqueId(), System.nanoTime());
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    say(context, "passed");
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    say(context, "FAILED: " + cause);
  }

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    say(context, "aborted: " + cause);
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    say(context, "disabled: " + reason.orElse(""));
  }

  /** The store of a case is closed before its result is known. */
  private static ExtensionContext.Store begun(ExtensionContext context) {
    return context.getRoot().getStore(OWN);
  }

  private static void say(ExtensionContext context, String result) {
    Long begunNs = begun(context).remove(context.getUniqueId(), Long.class);
    String seconds = begunNs == null ? ""
        : " after " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs) + " s";
    RandomRuns.say("case " + context.getRequiredTestClass().getSimpleName() + "."
        + context.getRequiredTestMethod().getName() + " " + context.getDisplayName() + seconds
        + ": " + result);
  }
}
