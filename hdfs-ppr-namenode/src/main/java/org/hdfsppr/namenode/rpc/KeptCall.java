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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.hdfsppr.manage.RepairManagerServerTranslator;

/**
 * A call of Hadoop's RPC whose answer the server keeps back, so that no handler waits with it.
 * Hadoop's handler thread keeps a note of such a call until its method returns. If the method threw
 * an exception, the note would stay, and the thread's next call would never be answered. So once
 * there is an instance, the method must not throw, and answers with {@link #fail} instead.
 */
@InterfaceAudience.Private
final class KeptCall implements WaitingCall {
  private final ProtobufRpcEngineCallback2 call;

  private KeptCall(ProtobufRpcEngineCallback2 call) {
    this.call = call;
  }

  /** Keeps back the answer of the call that this thread carries out. */
  static KeptCall ofThisThread() {
    return new KeptCall(ProtobufRpcEngine2.Server.registerForDeferredResponse2());
  }

  @Override
  public void answer(boolean hasOrders) {
    call.setResponse(RepairManagerServerTranslator.ordersAnswer(hasOrders));
  }

  /** Answers with an exception. */
  void fail(Throwable why) {
    call.error(why);
  }
}
