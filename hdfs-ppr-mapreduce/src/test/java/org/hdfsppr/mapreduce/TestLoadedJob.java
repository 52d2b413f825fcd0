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
package org.hdfsppr.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.hdfsppr.client.formation.GroupJobs;
import org.junit.jupiter.api.Test;

/** What the command finds on the class path. */
class TestLoadedJob {
  private static final String SERVICE =
      "META-INF/services/org.hdfsppr.client.formation.GroupJob";

  /** A class path that lacks something. */
  private static final class Without extends ClassLoader {
    private final String missing;

    Without(String missing) {
      super(TestLoadedJob.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      if (name.equals(missing)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, isResolved);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(missing) ? Collections.emptyEnumeration() : super.getResources(name);
    }
  }

  @Test
  void theJarIsFound() throws IOException {
    assertEquals(MapReduceGroupJob.class,
        GroupJobs.load(TestLoadedJob.class.getClassLoader()).getClass());
  }

  @Test
  void whatIsMissingIsNamedWithItsRemedy() {
    String[][] all = {{SERVICE, "lib/hdfs-ppr-mapreduce-VERSION.jar"},
        {MapReduceGroupJob.class.getName(), "same release"},
        {"org.apache.hadoop.mapreduce.Job", "share/hadoop/mapreduce"},
        {"org.apache.hadoop.mapred.LocalJobRunner", "HADOOP_CLASSPATH"}};
    for (String[] each : all) {
      String said = assertThrows(IOException.class,
          () -> GroupJobs.load(new Without(each[0])), each[0]).getMessage();
      assertTrue(said.contains(each[1]), said);
    }
  }
}
