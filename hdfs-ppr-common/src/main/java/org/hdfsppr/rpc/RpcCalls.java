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
package org.hdfsppr.rpc;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Converts exceptions of RPC calls. Protobuf's services can throw only a {@link ServiceException},
 * and this class puts an IOException into it on the server, and takes it out on the client.
 */
@InterfaceAudience.Private
public final class RpcCalls {
  private RpcCalls() {
  }

  /**
   * A client's call of a proxy.
   *
   * @param <T> the class of the answer
   */
  public interface Call<T> {
    /**
     * @return the answer
     * @throws ServiceException if the call fails
     */
    T call() throws ServiceException;
  }

  /**
   * Calls a proxy.
   *
   * @param <T> the class of the answer
   * @param call the call
   * @return the answer
   * @throws IOException the exception of the server, or the reason why the call did not reach the
   *     server
   */
  public static <T> T ask(Call<T> call) throws IOException {
    try {
      return call.call();
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException) {
        throw ((RemoteException) cause).unwrapRemoteException();
      }
      throw cause instanceof IOException ? (IOException) cause : new IOException(e);
    }
  }

  /**
   * The code by which a server answers a call.
   *
   * @param <T> the class of the answer
   */
  public interface Answer<T> {
    /**
     * @return the answer
     * @throws IOException if the server refuses the call; the client gets this exception
     */
    T make() throws IOException;
  }

  /**
   * Answers a call on the server.
   *
   * @param <T> the class of the answer
   * @param answer makes the answer
   * @return the answer
   * @throws ServiceException with the exception of {@code answer} as its cause
   */
  public static <T> T answer(Answer<T> answer) throws ServiceException {
    try {
      return answer.make();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }
}
