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

import java.io.IOException;
import java.security.CodeSource;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Checks that one class loader has loaded hdfs-ppr and Hadoop. Some classes of hdfs-ppr are in
 * Hadoop's packages, to use and override package-private members. This works only if the same class
 * loader has loaded these classes and Hadoop's classes. The JVM treats packages of two loaders as
 * two packages, even if the packages have the same name. If the loaders differ, Hadoop silently
 * never calls an overriding method, or a call fails long after the start. Plugins and file systems
 * therefore call this check first.
 */
@InterfaceAudience.Private
public final class HadoopLoader {
  /** The instruction to operators where a client's jar has to be */
  public static final String TO_CLIENTS = "Put the jar of hdfs-ppr where Hadoop's own jars are:"
      + " with Spark into spark.driver.extraClassPath and spark.executor.extraClassPath, not into"
      + " --jars, --packages or spark.jars; with Hive into HADOOP_CLASSPATH or"
      + " share/hadoop/hdfs/lib of its Hadoop, not into hive.aux.jars.path or ADD JAR; with Flink"
      + " into its folder lib/ or HADOOP_CLASSPATH, not into the job's jar; with 'hadoop jar' into"
      + " HADOOP_CLASSPATH, not into -libjars";
  private static final String TO_DAEMONS = "Put the jar of hdfs-ppr into share/hadoop/hdfs/lib of"
      + " this node's Hadoop, or into HADOOP_CLASSPATH, and restart the daemon";

  private HadoopLoader() {
  }

  /**
   * Checks a class of a client. An application may have loaded it with a class loader of its own.
   *
   * @param ours a class of hdfs-ppr, in one of Hadoop's packages
   * @param hadoops a class of Hadoop, in the same package
   * @throws IOException if the class loaders of the two classes differ; the message names both
   *     loaders and the remedy
   */
  public static void checkClient(Class<?> ours, Class<?> hadoops) throws IOException {
    check(ours, hadoops, TO_CLIENTS);
  }

  /**
   * Checks a class of a daemon's plugin.
   *
   * @param ours a class of hdfs-ppr, in one of Hadoop's packages
   * @param hadoops a class of Hadoop, in the same package
   * @throws IOException if the class loaders of the two classes differ; the message names both
   *     loaders and the remedy
   */
  public static void checkDaemon(Class<?> ours, Class<?> hadoops) throws IOException {
    check(ours, hadoops, TO_DAEMONS);
  }

  private static void check(Class<?> ours, Class<?> hadoops, String remedy) throws IOException {
    if (ours.getClassLoader() != hadoops.getClassLoader()) {
      throw new IOException(describe(ours) + ", but " + describe(hadoops) + ". hdfs-ppr works only"
          + " where one class loader has loaded both. " + remedy);
    }
  }

  private static String describe(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return "the class loader " + (loader == null ? "of the JVM itself" : loader) + " has loaded "
        + type.getName() + (source == null ? "" : " from " + source.getLocation());
  }
}
