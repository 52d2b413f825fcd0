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
package org.hdfsppr.namenode.rpc;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.ipc.CallAccess;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.Server;
import org.hdfsppr.manage.RepairManagerServerTranslator;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call of Hadoop's RPC whose answer the server sends later, so that no handler thread waits
 * meanwhile. Hadoop marks the handler thread for such a call until its method returns. If the
 * method threw an exception, the mark would stay, and the thread's next call would never be
 * answered. So once there is an instance, the method must not throw, and answers with {@link #fail}
 * instead.
 */
final class KeptCall implements WaitingCall {
  private static final Logger LOG = LoggerFactory.getLogger(KeptCall.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final Server.Call call;
  private final ProtobufRpcEngineCallback2 callback;
  private final AtomicBoolean isAnswered = new AtomicBoolean();

  private KeptCall(Server.Call call, ProtobufRpcEngineCallback2 callback) {
    this.call = call;
    this.callback = callback;
  }

  /** Keeps back the answer of the call that this thread carries out. */
  static KeptCall ofThisThread() {
    Server.Call call = Server.getCurCall().get();
    return new KeptCall(call, ProtobufRpcEngine2.Server.registerForDeferredResponse2());
  }

  @Override
  public void answer(boolean hasOrders) {
    send(() -> callback.setResponse(RepairManagerServerTranslator.ordersAnswer(hasOrders)));
  }

  /** Answers with an exception, unless the call has been answered. */
  void fail(Throwable why) {
    send(() -> callback.error(why));
  }

  /**
   * Sends the answer, if it is the first. Catches errors: the caller, which has orders to give,
   * must go on.
   */
  private void send(Runnable answer) {
    try {
      if (!isAnswered.getAndSet(true) && CallAccess.isOpen(call)) {
        answer.run();
      }
    } catch (RuntimeException | LinkageError e) {
      PEER_LOG.warn(e.getClass().getName(), "A DataNode that waits for orders gets no answer; it"
          + " fetches them with its next heartbeat", e);
    }
  }
}
