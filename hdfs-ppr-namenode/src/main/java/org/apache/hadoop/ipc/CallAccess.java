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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Finds out whether the caller of a call that the NameNode has not answered yet is still connected.
 * If the NameNode answers a caller that has gone, Hadoop's server writes two lines into the log.
 * The members that this class needs are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
@InterfaceAudience.Private
public final class CallAccess {
  private CallAccess() {
  }

  /** @return the members that this Hadoop lacks; empty if the answers of calls can be put off */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(CallAccess.class));
    hadoop.method("Server$Call", "isOpen", boolean.class);
    hadoop.method("ProtobufRpcEngine2$Server", "registerForDeferredResponse2",
        ProtobufRpcEngineCallback2.class);
    return hadoop.missing();
  }

  /**
   * @param call the call
   * @return whether its caller is connected
   */
  public static boolean isOpen(Server.Call call) {
    return call.isOpen();
  }
}
