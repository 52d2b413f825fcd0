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
package org.apache.hadoop.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.read.ColumnSource;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a client with an extension, and without one. No server listens where it connects to. */
@Timeout(60)
class TestClientExtension {
  private static final URI CLUSTER = URI.create("hdfs://127.0.0.1:1");
  private static final String WITHOUT = "dfs.client.ppr.updates is true, and this client has no"
      + " hdfs-ppr-files-client-VERSION-dropin.jar, without which it would read old bytes; put it"
      + " beside the hdfs-ppr-client jar, or set it to false";

  private final List<String> calls = new ArrayList<>();

  private static Configuration conf(boolean updates) {
    Configuration conf = new Configuration();
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, updates);
    return conf;
  }

  private static String refusal(Configuration conf) {
    return assertThrows(IOException.class,
        () -> new PprDFSClient(CLUSTER, conf, null, Optional.empty())).getMessage();
  }

  /** Returns what a client says if the thread's class loader has this provider; null for none. */
  private static String refusal(URL provider) {
    ClassLoader loader = new ClassLoader(TestClientExtension.class.getClassLoader()) {
      @Override
      public URL getResource(String name) {
        return name.equals("META-INF/services/" + ClientExtension.class.getName()) ? provider
            : super.getResource(name);
      }
    };
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return refusal(conf(true));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private final class Updates implements StreamUpdates {
    @Override
    public boolean mayHave(String src) {
      throw new AssertionError("no server has said that it is no Router");
    }

    @Override
    public PprStripedInputStream open(PprStripedInputStream.StripedFile file) {
      throw new AssertionError(file.src);
    }

    @Override
    public FileUpdater openForUpdate(String src) {
      throw new AssertionError(src);
    }

    @Override
    public SharedUpdater openForSharedUpdate(String src) {
      throw new AssertionError(src);
    }

    @Override
    public void close() {
      calls.add("closed");
    }
  }

  private final class Extension implements ClientExtension {
    @Override
    public ColumnSource columns(Configuration conf, URI nameNode, UserGroupInformation user,
        LongSupplier nanoClock) {
      calls.add("columns of " + nameNode);
      return ColumnSource.NONE;
    }

    @Override
    public StreamUpdates updates(DFSClient client, URI nameNode, ReadContext context,
        FileSystem.Statistics statistics) {
      assertNotNull(client.getConfiguration());
      assertSame(((PprDFSClient) client).readContext(), context);
      calls.add("updates of " + nameNode);
      return new Updates();
    }
  }

  @Test
  void itIsAskedOnceForAClient() throws IOException {
    new PprDFSClient(CLUSTER, conf(true), null, Optional.of(new Extension())).close();
    assertEquals(List.of("columns of " + CLUSTER, "updates of " + CLUSTER, "closed"), calls);
  }

  @Test
  void itIsNotAskedForWhatIsOff() throws IOException {
    new PprDFSClient(CLUSTER, conf(false), null, Optional.of(new Extension())).close();
    assertEquals(List.of("columns of " + CLUSTER), calls);
    Configuration conf = conf(false);
    conf.set(PprKeys.CLIENT_DEGRADED_READ_KEY, "off");
    calls.clear();
    new PprDFSClient(CLUSTER, conf, null, Optional.of(new Extension())).close();
    assertEquals(List.of(), calls);
  }

  @Test
  void updatesNeedDegradedReads() {
    Configuration conf = conf(true);
    conf.set(PprKeys.CLIENT_DEGRADED_READ_KEY, "off");
    assertEquals("dfs.client.ppr.updates is true, and needs dfs.client.ppr.degraded-read, which is"
        + " off", assertThrows(IllegalArgumentException.class, () -> new PprDFSClient(CLUSTER, conf,
            null, Optional.of(new Extension()))).getMessage());
  }

  @Test
  void aClientWithoutItReadsAndUpdatesNothing() throws IOException {
    try (PprDFSClient client = new PprDFSClient(CLUSTER, conf(false), null, Optional.empty())) {
      assertNotNull(client.readContext());
      assertEquals("This client updates no files, and sees no updates, because"
          + " dfs.client.ppr.updates is false", assertThrows(IOException.class,
              () -> client.openForUpdate("/f")).getMessage());
    }
  }

  /** Without updates, it would read bytes that other clients have replaced. */
  @Test
  void aClientWithoutItThatHasToSeeUpdatesDoesNotOpen() {
    assertEquals(WITHOUT, refusal((URL) null));
  }

  /** A jar that only a job's or a context loader sees is never used, and the sentence says so. */
  @Test
  void anExtensionThatOnlyTheThreadSeesIsNotUsed() throws IOException {
    String said = refusal(Path.of("a.jar").toUri().toURL());
    assertTrue(said.startsWith(WITHOUT + ". Another class loader has such a jar. Put the jar of"
        + " hdfs-ppr where Hadoop's own jars are: with Spark into spark.driver.extraClassPath"),
        said);
  }
}
