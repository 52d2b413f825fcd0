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
package org.apache.hadoop.ipc;

import java.util.concurrent.Callable;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.UserGroupInformation;

/** Lets a test act as a handler of an RPC server does, so that the audit log hears of it. */
@InterfaceAudience.Private
public final class WithinCall {
  private WithinCall() {
  }

  /** Returns what the work returns. */
  public static <T> T of(Callable<T> work) throws Exception {
    Server.Call before = Server.getCurCall().get();
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    Server.getCurCall().set(new Server.Call() {
      @Override
      public UserGroupInformation getRemoteUser() {
        return user;
      }
    });
    try {
      return work.call();
    } finally {
      Server.getCurCall().set(before);
    }
  }
}
