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

import java.io.File;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A look-up of groups may ask a directory server, for which the whole NameNode must not wait. */
@Timeout(300)
class TestVersionGroups {
  private static volatile FSNamesystem namesystem;
  private static final Set<String> ASKED = ConcurrentHashMap.newKeySet();
  private static final Set<String> ASKED_UNDER_LOCK = ConcurrentHashMap.newKeySet();

  /** Knows one group, and notes whether the asking thread holds the namesystem's lock. */
  public static final class Mapping implements GroupMappingServiceProvider {
    @Override
    public List<String> getGroups(String user) {
      FSNamesystem running = namesystem;
      ASKED.add(user);
      if (running != null && running.hasReadLock()) {
        ASKED_UNDER_LOCK.add(user);
      }
      return List.of("users");
    }

    /** Overrides a method that Hadoop 3.3 does not have. */
    public Set<String> getGroupsSet(String user) {
      return Set.copyOf(getGroups(user));
    }

    @Override
    public void cacheGroupsRefresh() {
      // There is no cache.
    }

    @Override
    public void cacheGroupsAdd(List<String> groups) {
      // There is no cache.
    }
  }

  @TempDir
  File directory;

  @AfterEach
  void forget() {
    namesystem = null;
    VersionHooks.set(VersionHook.NONE);
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(new Configuration());
    UserGroupInformation.reset();
  }

  @Test
  void groupsAreNotLookedUpUnderTheLock() throws Exception {
    Configuration conf = VersionCluster.conf(directory);
    conf.setClass("hadoop.security.group.mapping", Mapping.class,
        GroupMappingServiceProvider.class);
    Groups groups = Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    // Tests that ran before in this JVM may have given users groups of their own.
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(conf);
    try (VersionCluster cluster = VersionCluster.start(conf)) {
      cluster.engine();
      cluster.write("/ec/f", 200_000, 1);
      cluster.fs().setOwner(new Path("/ec"), "alice", "users");
      cluster.fs().setPermission(new Path("/ec"), new FsPermission((short) 0755));
      cluster.fs().setOwner(new Path("/ec/f"), "alice", "users");
      namesystem = cluster.mini().getNamesystem();
      // Each step begins without remembered groups.
      VersionHooks.set((point, path) -> groups.refresh());
      VersionOutcome outcome =
          cluster.make(cluster.request("/ec/f", VersionCluster.XOR).user("alice").build());
      assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    }
    assertFalse(ASKED.isEmpty());
    assertEquals(Set.of(), ASKED_UNDER_LOCK);
  }
}
