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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.PprHdfs;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.OwnLoader;
import org.junit.jupiter.api.Test;

/**
 * If a class loader below Hadoop's loads the file systems from an application's jar, they would
 * work as stock's or fail in unclear ways. They must fail with a clear message instead.
 */
class TestFileSystemOfOtherLoader {
  /**
   * No process listens at this address, and none is needed, because a file system connects at its
   * first call.
   */
  private static final URI CLUSTER = URI.create("hdfs://127.0.0.1:1");

  @Test
  void fileSystemIsRefusedWithTheRemedy() throws IOException {
    try (OwnLoader loader = loader()) {
      Configuration conf = configuration(loader);
      IOException refused =
          assertThrows(IOException.class, () -> FileSystem.newInstance(CLUSTER, conf).close());
      assertNames(refused.getMessage(), PprFileSystem.class.getName(), loader);
    }
  }

  @Test
  void fileContextIsRefusedWithTheRemedy() throws IOException {
    try (OwnLoader loader = loader()) {
      Configuration conf = configuration(loader);
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> FileContext.getFileContext(CLUSTER, conf));
      Throwable cause = refused;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      assertNames(cause.toString(), PprHdfs.class.getName(), loader);
    }
  }

  @Test
  void sameLoaderIsFine() throws IOException {
    Configuration conf = configuration(PprFileSystem.class.getClassLoader());
    FileSystem.newInstance(CLUSTER, conf).close();
    FileContext.getFileContext(CLUSTER, conf);
  }

  private static OwnLoader loader() {
    return new OwnLoader(PprFileSystem.class, PprKeys.class, LinearCode.class);
  }

  private static Configuration configuration(ClassLoader loader) {
    Configuration conf = new Configuration();
    conf.setClassLoader(loader);
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", PprHdfs.class.getName());
    return conf;
  }

  private static void assertNames(String message, String ours, ClassLoader loader) {
    for (String part : List.of(ours, loader.toString(),
        DistributedFileSystem.class.getClassLoader().toString(), "spark.driver.extraClassPath",
        "spark.executor.extraClassPath", "--jars", "Hive", "Flink", "HADOOP_CLASSPATH",
        "share/hadoop/hdfs/lib")) {
      assertTrue(message.contains(part), "no " + part + " in " + message);
    }
  }
}
