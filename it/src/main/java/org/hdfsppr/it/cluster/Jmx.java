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
package org.hdfsppr.it.cluster;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.classification.InterfaceAudience;

/** Reads a daemon's MBeans from its HTTP server. */
@InterfaceAudience.Private
public final class Jmx {
  private static final int LIMIT_MS = 5000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Jmx() {
  }

  /**
   * {@return the first bean whose name matches {@code query}}
   *
   * @param host the daemon's host
   * @param port the port of the daemon's web server
   * @param query an object name, also as a pattern, for example {@code
   *     Hadoop:service=DataNode,name=DataNodeActivity-*}
   * @throws FileNotFoundException if no bean matches, for example because the daemon is still
   *     starting
   */
  public static JsonNode bean(String host, int port, String query) throws IOException {
    URL url = new URL("http", host, port, "/jmx?qry=" + query);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setConnectTimeout(LIMIT_MS);
    connection.setReadTimeout(LIMIT_MS);
    try (InputStream in = connection.getInputStream()) {
      JsonNode beans = MAPPER.readTree(in).get("beans");
      if (beans == null || beans.isEmpty()) {
        throw new FileNotFoundException("No bean " + query + " at " + host + ":" + port);
      }
      return beans.get(0);
    } finally {
      connection.disconnect();
    }
  }
}
