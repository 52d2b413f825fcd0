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
package org.hdfsppr.golden;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Samples of the calls of a protocol. It sees messages where Hadoop's RPC would take them, between
 * the translator of a client and that of a server, and knows nothing of codecs behind these.
 *
 * @param <P> the interface whose methods have messages
 */
@InterfaceAudience.Private
public final class RpcGolden<P> {
  private final Golden golden;
  private final Class<P> protocol;
  private final UnaryOperator<P> relay;

  /**
   * @param relay what makes objects of an arrived request, makes messages of these once more for
   *     another server, and does the same with its answer
   */
  public RpcGolden(Golden golden, Class<P> protocol, UnaryOperator<P> relay) {
    this.golden = golden;
    this.protocol = protocol;
    this.relay = relay;
  }

  /** Makes a call. */
  public interface Caller<P> {
    void call(P proxy) throws Exception;
  }

  /** The messages of a call. */
  private static final class Seen {
    private Method method;
    private Message request;
    private Message answer;
  }

  /** Takes samples of the request that a caller makes, and of the answer that a server gives. */
  public void call(String sample, P server, Caller<P> caller) throws Exception {
    Seen seen = new Seen();
    caller.call(tap(seen, request -> invoke(server, seen.method, request)));
    Message request = seen.request;
    Message answer = seen.answer;
    golden.written(sample + ", request", MessageFrame.bare(request.getDefaultInstanceForType()),
        request.toByteArray(), bytes -> relayed(seen.method, parse(request, bytes), answer)
            .request.toByteArray());
    golden.written(sample + ", answer", MessageFrame.bare(answer.getDefaultInstanceForType()),
        answer.toByteArray(), bytes -> relayed(seen.method, request, parse(answer, bytes))
            .answer.toByteArray());
  }

  private static Message parse(Message type, byte[] bytes) throws IOException {
    return type.getParserForType().parseFrom(bytes);
  }

  private Seen relayed(Method method, Message request, Message answer) throws Exception {
    Seen seen = new Seen();
    P server = relay.apply(tap(seen, any -> answer));
    seen.answer = invoke(server, method, request);
    return seen;
  }

  private interface Server {
    Message answer(Message request) throws Exception;
  }

  private P tap(Seen seen, Server server) {
    return protocol.cast(Proxy.newProxyInstance(protocol.getClassLoader(),
        new Class<?>[] {protocol}, (proxy, method, arguments) -> {
          seen.method = method;
          seen.request = (Message) arguments[1];
          try {
            seen.answer = server.answer(seen.request);
          } catch (IOException e) {
            throw new ServiceException(e);
          }
          return seen.answer;
        }));
  }

  private static Message invoke(Object server, Method method, Message request) throws Exception {
    try {
      return (Message) method.invoke(server, null, request);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof ServiceException && cause.getCause() instanceof IOException) {
        throw (IOException) cause.getCause();
      }
      throw (Exception) cause;
    }
  }
}
