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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.hdfsppr.client.PprTool;
import org.hdfsppr.client.formation.GroupJob;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.operate.PprClientProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job on YARN. The command, the application master and the tasks are processes. The class path
 * of the command has the project's jars. The one of the containers has Hadoop's jars only, and what
 * the job takes along.
 */
@Tag("slow")
@Timeout(600)
class TestGroupJobOnYarn {
  private static final long SEED = 20261127;
  private static final int GROUP = GroupJobCluster.GROUP;
  private static final int COMMAND_S = 300;
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});

  @TempDir
  File directory;
  private GroupJobCluster cluster;
  private MiniMRYarnCluster yarn;
  private File settings;
  private File jobJar;
  private File clientJar;
  private File filesJar;

  @BeforeEach
  void start() throws Exception {
    cluster = GroupJobCluster.start(new File(directory, "hdfs"), SEED);
    yarn = new MiniMRYarnCluster("job-on-yarn", 1);
    yarn.init(daemonConf());
    yarn.start();
    jobJar = new File(directory, "job.jar");
    ModuleJar.write(jobJar, MapReduceGroupJob.class);
    clientJar = new File(directory, "client.jar");
    ModuleJar.write(clientJar, PprTool.class, PprKeys.class, LinearCode.class);
    filesJar = new File(directory, "files.jar");
    ModuleJar.write(filesJar, GroupJob.class, PprClientProtocol.class);
    settings = new File(directory, "conf");
    writeSettings();
  }

  @AfterEach
  void stop() {
    if (yarn != null) {
      yarn.stop();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private Configuration daemonConf() {
    Configuration conf = new YarnConfiguration(cluster.clientConf());
    conf.set(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class.getName());
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
    conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, 1280);
    return conf;
  }

  /** Writes the files in which the command finds its settings. */
  private void writeSettings() throws IOException {
    Configuration conf = new Configuration(yarn.getConfig());
    // Otherwise, containers would get the class path of this process.
    conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, false);
    conf.set(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH, String.join(",", hadoopJars(false)));
    conf.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, "");
    // The application master and the tasks open the file system by a class of ours, too.
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setInt(MRJobConfig.NUM_REDUCES, 2);
    conf.setInt(MRJobConfig.IO_SORT_MB, 16);
    conf.setInt(MRJobConfig.MR_AM_VMEM_MB, 512);
    String java = String.join(" ", opens()) + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx";
    String home = "JAVA_HOME=" + System.getProperty("java.home");
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, java + "320m");
    conf.set(MRJobConfig.MR_AM_ENV, home);
    for (String task : List.of("map", "reduce")) {
      conf.setInt("mapreduce." + task + ".memory.mb", 256);
      conf.set("mapreduce." + task + ".java.opts", java + "160m");
      conf.set("mapreduce." + task + ".env", home);
    }
    Files.createDirectories(settings.toPath());
    for (String name : List.of("core", "hdfs", "mapred", "yarn")) {
      try (OutputStream out =
          Files.newOutputStream(settings.toPath().resolve(name + "-site.xml"))) {
        conf.writeXml(out);
      }
    }
    // As with bin/hdfs, nothing but results goes to the standard output.
    Files.write(settings.toPath().resolve("log4j.properties"), List.of(
        "log4j.rootLogger=INFO, err", "log4j.appender.err=org.apache.log4j.ConsoleAppender",
        "log4j.appender.err.target=System.err",
        "log4j.appender.err.layout=org.apache.log4j.SimpleLayout"));
  }

  /** Returns the jars on this class path that are not the project's. */
  private static List<String> hadoopJars(boolean isForCommand) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> {
          String name = new File(entry).getName();
          return name.endsWith(".jar") && !name.startsWith("hdfs-ppr")
              && (isForCommand || !name.startsWith("picocli"));
        }).collect(Collectors.toList());
  }

  private static List<String> opens() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens")).collect(Collectors.toList());
  }

  /** Runs {@code hdfs ppr} as alice, in a process, and returns what it prints. */
  private String command(String... arguments) throws Exception {
    List<String> classPath = new ArrayList<>(List.of(settings.getPath(), clientJar.getPath(),
        filesJar.getPath(), jobJar.getPath()));
    classPath.addAll(hadoopJars(true));
    List<String> line = new ArrayList<>();
    line.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(opens());
    line.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp",
        String.join(File.pathSeparator, classPath), PprTool.class.getName()));
    line.addAll(List.of(arguments));
    File out = new File(directory, "command.out");
    File err = new File(directory, "command.err");
    ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(out).redirectError(err);
    builder.environment().put("HADOOP_USER_NAME", ALICE.getUserName());
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(COMMAND_S, TimeUnit.SECONDS), "The command does not end");
    } finally {
      process.destroyForcibly();
    }
    String errors = Files.readString(err.toPath());
    String text = Files.readString(out.toPath());
    assertEquals(0, process.exitValue(), text + errors);
    return text;
  }

  private void writeTree() throws IOException {
    for (int i = 0; i < 7; i++) {
      cluster.write("/warm/a/f" + i, 2 * GROUP - i * 1_000);
      cluster.write("/warm/a/deep/f" + i, i < 4 ? GROUP + i : 5_000 + i);
    }
    for (int i = 0; i < 3; i++) {
      cluster.write("/warm/top" + i, GROUP);
    }
    cluster.own(ALICE.getUserName());
  }

  /** Returns the applications that YARN has run, and how they ended. */
  private Map<String, FinalApplicationStatus> applications() throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(yarn.getConfig());
      client.start();
      return client.getApplications().stream().collect(Collectors.toMap(
          ApplicationReport::getUser, ApplicationReport::getFinalApplicationStatus));
    }
  }

  @Test
  void theJobFormsTheSameGroupsOnYarnAsInOneProcess() throws Exception {
    writeTree();
    String out = command("-core", "-protect", "/warm", "-recursive", "-t", "3", "-mapreduce",
        "-json");
    JsonNode job = new ObjectMapper().readTree(out).path("job");
    // a: 2 of 7; a/deep: 1 of 4 and 1 of 3; top: 1.
    assertEquals(5, job.path("taken").asLong(), out);
    assertEquals(0, job.path("left").asLong(), out);
    assertEquals(0, job.path("unlisted").asLong(), out);
    assertEquals(3, job.path("directories").asLong(), out);
    assertEquals(17, job.path("files").asLong(), out);
    assertEquals(2, job.path("files_in_no_group").path("no_like_files").asLong(), out);
    assertEquals(Map.of(ALICE.getUserName(), FinalApplicationStatus.SUCCEEDED), applications());
    cluster.awaitGroups(5);
    Set<Set<String>> onYarn = cluster.members();

    assertEquals(0, cluster.run(ALICE, "-core", "-unprotect", "/warm"), cluster.err());
    cluster.awaitGroups(0);
    assertEquals(0, cluster.run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3",
        "-mapreduce", "-json"), cluster.out() + cluster.err());
    assertEquals(job, cluster.job());
    cluster.awaitGroups(5);
    assertEquals(cluster.members(), onYarn);
    // The second job has not run on YARN.
    assertEquals(1, applications().size());
  }
}
