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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Tests when the watch reads the configuration, and when it tries again. */
@InterfaceAudience.Private
class TestNamenodeWatch {
  private final List<Configuration> followed = new ArrayList<>();
  private Configuration current = new Configuration(false);
  private IOException failure;
  private long nanos = Long.MAX_VALUE - NamenodeWatch.RETRY_NANOS / 2;
  private final NamenodeWatch watch = new NamenodeWatch(() -> current, this::follow, () -> nanos);

  private void follow(Configuration conf) throws IOException {
    followed.add(conf);
    if (failure != null) {
      throw failure;
    }
  }

  private void look(int expected) {
    followed.clear();
    watch.look();
    assertEquals(expected, followed.size());
  }

  @Test
  void onlyAChangeIsFollowed() throws IOException {
    watch.begin();
    look(0);
    nanos += 10 * NamenodeWatch.RETRY_NANOS;
    look(0);
    current = new Configuration(false);
    look(1);
    look(0);
  }

  @Test
  void aFailedLookUpIsRepeatedUntilItSucceeds() throws IOException {
    watch.begin();
    current = new Configuration(false);
    failure = new UnknownHostException("namenodes.example");
    look(1);
    for (int i = 0; i < 3; i++) {
      nanos += NamenodeWatch.RETRY_NANOS - 1;
      look(0);
      nanos++;
      look(1);
    }
    failure = null;
    nanos += NamenodeWatch.RETRY_NANOS;
    look(1);
    nanos += NamenodeWatch.RETRY_NANOS;
    look(0);
  }

  @Test
  void alsoTheFirstOne() throws IOException {
    failure = new UnknownHostException("namenodes.example");
    watch.begin();
    failure = null;
    nanos += NamenodeWatch.RETRY_NANOS;
    look(1);
  }

  @Test
  void anotherConfigurationDoesNotWaitForTheRetry() throws IOException {
    watch.begin();
    current = new Configuration(false);
    failure = new UnknownHostException("namenodes.example");
    look(1);
    current = new Configuration(false);
    failure = null;
    look(1);
    nanos += NamenodeWatch.RETRY_NANOS;
    look(0);
  }

  /** A repetition with the same configuration would fail again. */
  @Test
  void aConfigurationThatMakesNoSenseIsNotRepeated() throws IOException {
    watch.begin();
    current = new Configuration(false);
    failure = new IOException("no NameNode is configured");
    look(1);
    nanos += 10 * NamenodeWatch.RETRY_NANOS;
    look(0);
  }

  @Test
  void aDataNodeWithoutNameNodesDoesNotBegin() {
    failure = new IOException("no NameNode is configured");
    assertThrows(IOException.class, watch::begin);
  }
}
