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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.hdfsppr.operate.FeatureProtocol;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** When versions may lie where 0.2.0 does not find them. */
class TestShardKnowledge {
  private static final IOException DOWN = new ConnectException("as the test says");
  private static final IOException OLDER =
      new RemoteException(RpcNoSuchMethodException.class.getName(), "as the test says");
  private static final Set<String> NEW = Set.of("more", FeatureProtocol.VERSION_SHARDS);

  private final Map<String, Object> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final ShardKnowledge knowledge;
  private long nowMs;

  TestShardKnowledge() {
    answers.put("nn2", DOWN);
    answers.put("nn3", NEW);
    knowledge = new ShardKnowledge(new ShardKnowledge.Others() {
      @Override
      public Set<String> names() {
        return answers.keySet();
      }

      @Override
      @SuppressWarnings("unchecked")
      public Set<String> features(String name) throws IOException {
        asked.add(name);
        Object answer = answers.get(name);
        if (answer instanceof IOException) {
          throw (IOException) answer;
        }
        return (Set<String>) answer;
      }
    });
  }

  private boolean after(String name, Object answer) {
    answers.put(name, answer);
    nowMs += ShardKnowledge.KNOWN_MS;
    knowledge.step(nowMs);
    return knowledge.allKnow();
  }

  @Test
  void allOthersHaveToSayIt() {
    assertFalse(knowledge.allKnow());
    assertFalse(after("nn2", DOWN));
    assertFalse(after("nn2", OLDER));
    assertFalse(after("nn2", Set.of("another")));
    assertTrue(after("nn2", NEW));
  }

  /** A NameNode that is down is believed what it said last. */
  @Test
  void aSilentNameNodeIsBelievedAndAnOlderOneIsNot() {
    assertTrue(after("nn2", NEW));
    assertTrue(after("nn2", DOWN));
    assertFalse(after("nn2", OLDER));
    assertFalse(after("nn2", DOWN));
    assertTrue(after("nn2", NEW));
  }

  @Test
  void itAsksMoreOftenWhileItDoesNotKnow() {
    knowledge.step(nowMs);
    assertEquals(2, asked.size());
    knowledge.step(nowMs + ShardKnowledge.UNKNOWN_MS - 1);
    assertEquals(2, asked.size());
    answers.put("nn2", NEW);
    nowMs += ShardKnowledge.UNKNOWN_MS;
    knowledge.step(nowMs);
    assertEquals(4, asked.size());
    knowledge.step(nowMs + ShardKnowledge.KNOWN_MS - 1);
    assertEquals(4, asked.size());
  }

  /** Unlike the steps, this asks anew, and believes no earlier answer. */
  @Test
  void whichNameNodesLackAFeatureIsAskedAnew() {
    assertTrue(after("nn2", NEW));
    assertEquals(List.of(), knowledge.lacking(FeatureProtocol.VERSION_SHARDS));
    answers.put("nn2", Set.of(FeatureProtocol.SEALED_RECORDS));
    assertEquals(List.of("nn3 (older, or without the jar of files)"),
        knowledge.lacking(FeatureProtocol.SEALED_RECORDS));
    answers.put("nn2", OLDER);
    answers.put("nn3", DOWN);
    assertEquals(Set.of("nn2 (older, or without the jar of files)", "nn3 (no answer)"),
        Set.copyOf(knowledge.lacking(FeatureProtocol.VERSION_SHARDS)));
    assertEquals(List.of(), ShardKnowledge.alone().lacking(FeatureProtocol.SEALED_RECORDS));
  }

  @Test
  void aNameNodeWithoutOthersKnows() {
    assertTrue(ShardKnowledge.of(new Configuration(false)).allKnow());
  }

  @Test
  void versionsLieWhereAllNameNodesFindThem() {
    VersionStore store = VersionStores.of(() -> Mockito.mock(ClientProtocol.class), knowledge);
    assertEquals(VersionHome.FLAT, store.home(false));
    assertEquals(VersionHome.FLAT, store.home(true));
    after("nn2", NEW);
    assertEquals(VersionHome.CONVERSIONS, store.home(false));
    assertEquals(VersionHome.COMMITS, store.home(true));
  }
}
