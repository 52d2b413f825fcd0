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
package org.hdfsppr.client.verify;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RemoteException;
import org.hdfsppr.wire.PeerText;

/** Explains failures in one line, without names of classes. */
@InterfaceAudience.Private
public final class Sentences {
  /** Says that an error, such as a lack of memory, has ended a check. */
  public static final String ERROR = "it could not be checked: an error ended the check";

  private Sentences() {
  }

  /**
   * @param e a failure
   * @return the failure in a sentence for people
   */
  public static String of(Exception e) {
    if (e instanceof RemoteException) {
      return of(((RemoteException) e).unwrapRemoteException(IOException.class), e);
    }
    if (isOfNetwork(e)) {
      // Hadoop wraps a failure several times, and each wrapper names classes. The innermost message
      // is enough.
      Throwable first = e;
      while (first.getCause() != null) {
        first = first.getCause();
      }
      return "the NameNode has not answered: " + of(first, e);
    }
    return of(e, e);
  }

  private static String of(Throwable said, Exception e) {
    return said.getMessage() == null ? "no reason was given (" + e.getClass().getSimpleName() + ")"
        : PeerText.firstLine(said);
  }

  /**
   * @param e a failure
   * @return whether the NameNode could not be reached
   */
  public static boolean isOfNetwork(Exception e) {
    return e instanceof SocketException || e instanceof SocketTimeoutException
        || e instanceof UnknownHostException;
  }
}
