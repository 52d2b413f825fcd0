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
package org.hdfsppr.loader;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/**
 * Tests how the class loaders of two classes are compared, and what the message says if they
 * differ.
 */
class TestHadoopLoader {
  @Test
  void oneLoaderIsFine() throws IOException {
    HadoopLoader.checkClient(HadoopLoader.class, Configuration.class);
    HadoopLoader.checkDaemon(HadoopLoader.class, Configuration.class);
  }

  /** The loader of the JVM's own classes is null, and their place is unknown. */
  @Test
  void differentLoadersAreNamed() {
    String client = assertThrows(IOException.class,
        () -> HadoopLoader.checkClient(HadoopLoader.class, String.class)).getMessage();
    assertTrue(client.contains("the class loader " + HadoopLoader.class.getClassLoader()
        + " has loaded " + HadoopLoader.class.getName() + " from "
        + HadoopLoader.class.getProtectionDomain().getCodeSource().getLocation()), client);
    assertTrue(client.contains(
        "but the class loader of the JVM itself has loaded java.lang.String."), client);
    assertTrue(client.contains("spark.driver.extraClassPath"), client);
    String daemon = assertThrows(IOException.class,
        () -> HadoopLoader.checkDaemon(String.class, HadoopLoader.class)).getMessage();
    assertTrue(daemon.contains("restart the daemon"), daemon);
    assertFalse(daemon.contains("spark"), daemon);
  }
}
