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

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hdfsppr.client.nbd.server.NbdClient;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;

/** A process that serves files as a block device: {@code hdfs ppr -nbd} on a free port. */
final class DeviceProcess implements AutoCloseable {
  private static final Pattern URI = Pattern.compile(" is served at (\\S+)");

  private final PprCommand command;
  final String uri;
  private DeviceProcess(PprCommand command, String uri) {
    this.command = command;
    this.uri = uri;
  }

  /**
   * Starts the process, and returns when it listens.
   *
   * @param arguments of {@code -nbd}, without the address
   */
  static DeviceProcess start(UpdatesCluster cluster, String... arguments)
      throws IOException, InterruptedException, TimeoutException {
    List<String> all = new ArrayList<>(List.of("-nbd", "--listen", "127.0.0.1:0"));
    all.addAll(List.of(arguments));
    PprCommand command = PprCommand.start(cluster.processes(), all);
    String[] uri = {null};
    boolean listens = false;
    try {
      Await.until(() -> "a device listens: " + command.text(), UpdatesCluster.LIMIT,
          UpdatesCluster.POLL, () -> {
            boolean hasEnded = command.hasEnded();
            Matcher found = URI.matcher(command.output());
            if (found.find()) {
              uri[0] = found.group(1);
              return true;
            }
            if (hasEnded) {
              throw new IOException("The device has ended: " + command.output());
            }
            return false;
          });
      listens = true;
    } finally {
      if (!listens) {
        command.close();
      }
    }
    return new DeviceProcess(command, uri[0]);
  }

  NbdClient connect() throws IOException {
    assertFalse(command.hasEnded(), command::text);
    return NbdClient.open(Integer.parseInt(uri.substring(uri.lastIndexOf(':') + 1)));
  }

  String text() {
    return command.text();
  }

  /** Kills the process with SIGKILL. */
  @Override
  public void close() {
    command.close();
  }
}
