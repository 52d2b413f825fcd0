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
package org.hdfsppr.client.files.update;

import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a call once if the NameNode has closed the connection. Hadoop's RPC client keeps idle
 * connections, and notices that one was closed only when it uses it. So after a restart of the
 * NameNode, the first call fails with an EOFException, and the next one makes a new connection.
 * Hadoop itself repeats such calls only if there are two NameNodes.
 */
@InterfaceAudience.Private
public final class ReconnectRetry {
  private static final Logger LOG = LoggerFactory.getLogger(ReconnectRetry.class);

  /**
   * A call that changes nothing at the NameNode, so that it may be made twice.
   *
   * @param <T> the answer
   */
  public interface Call<T> {
    /**
     * @return the answer
     * @throws IOException if the NameNode refuses the call, or does not answer
     */
    T answer() throws IOException;
  }

  private ReconnectRetry() {
  }

  /**
   * Makes the call, and makes it again if it fails because the connection was closed.
   *
   * @param call the call
   * @param <T> the answer
   * @return the answer
   * @throws IOException the failure of the last call
   */
  public static <T> T of(Call<T> call) throws IOException {
    try {
      return call.answer();
    } catch (EOFException e) {
      LOG.debug("The NameNode has ended the connection, and is asked once more", e);
      return call.answer();
    }
  }
}
