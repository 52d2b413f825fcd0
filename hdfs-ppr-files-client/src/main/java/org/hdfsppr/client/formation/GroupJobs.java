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
package org.hdfsppr.client.formation;

import java.io.IOException;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the {@link GroupJob} of the jar hdfs-ppr-mapreduce, if the jar is on the class path. */
@InterfaceAudience.Private
public final class GroupJobs {
  private static final Logger LOG = LoggerFactory.getLogger(GroupJobs.class);
  /**
   * One class of each of Hadoop's jars that a MapReduce job needs, whether it runs in the cluster
   * or in this process.
   */
  private static final String[] HADOOP =
      {"org.apache.hadoop.mapreduce.Job", "org.apache.hadoop.mapred.LocalJobRunner"};

  private GroupJobs() {
  }

  /**
   * @param loader looks for the classes
   * @return the job
   * @throws IOException if a jar is missing; the message names the remedy
   */
  public static GroupJob load(ClassLoader loader) throws IOException {
    for (String name : HADOOP) {
      try {
        Class.forName(name, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        LOG.debug("{} is not loaded", name, e);
        throw new IOException("-mapreduce needs Hadoop's MapReduce jars, and " + name + " is not on"
            + " the class path; install Hadoop's share/hadoop/mapreduce and share/hadoop/yarn on"
            + " this host, or name their jars in HADOOP_CLASSPATH");
      }
    }
    try {
      Iterator<GroupJob> jobs = ServiceLoader.load(GroupJob.class, loader).iterator();
      if (jobs.hasNext()) {
        return jobs.next();
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IOException("The jar hdfs-ppr-mapreduce does not load; take the one of the same"
          + " release as the hdfs-ppr-client jar: " + e, e);
    }
    throw new IOException("-mapreduce needs a jar of its own; put"
        + " lib/hdfs-ppr-mapreduce-VERSION.jar of the release on the class path:"
        + " HADOOP_CLASSPATH=.../hdfs-ppr-mapreduce-VERSION.jar hdfs ppr -core ...");
  }
}
