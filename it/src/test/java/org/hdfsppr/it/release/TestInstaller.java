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
package org.hdfsppr.it.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.hdfsppr.it.release.HadoopHome.Run;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the installer installs and removes one role, and that it refuses a wrong installation
 * with one sentence and changes nothing. The jars, Hadoop and Java are stand-ins here; TestRelease
 * uses real ones.
 */
class TestInstaller extends InstallerRuns {
  /**
   * More calls of file tools than an upgrade makes, so the last runs of a loop end without a
   * signal.
   */
  private static final int CALLS = 60;

  @ParameterizedTest
  @CsvSource({"datanode, 3.3.6", "namenode, 3.4.3", "client, 3.5.0", "datanode, 3.4.3-vendor.7",
      "client, 3.3.6"})
  void putsOneRoleInAndTakesItOutAgain(String role, String version) throws Exception {
    HadoopHome home = hadoop(version);
    Map<String, String> before = home.content();
    Run first = done(home, "--role", role);
    Path jar = home.lib().resolve("hdfs-ppr-" + role + "-9.8.7-dropin.jar");
    assertTrue(Files.isRegularFile(jar), first::toString);
    assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(jar)));
    assertEquals(role.equals("client"),
        Files.exists(home.dir.resolve("libexec/shellprofile.d/hdfs-ppr.sh")));
    assertEquals(role.equals("client"), Files.exists(home.dir.resolve("libexec/hdfs-ppr.bash")));
    assertEquals(role.equals("client"), first.said.contains("/libexec/hdfs-ppr.bash\n"));
    says(first, "Copied hdfs-ppr-" + role + "-9.8.7-dropin.jar to ");
    says(first, "Hadoop " + version);
    says(first, "Java 17.0.15");
    assertEquals(version.contains("vendor"), first.said.contains("is not one of those"));

    Map<String, String> installed = home.content();
    says(done(home, "--role=" + role), "The files are there already; nothing was changed.");
    assertEquals(installed, home.content());

    says(done(home, "--role", role, "--remove", "--dry-run"), "Would delete " + jar);
    assertEquals(installed, home.content());
    Run removed = done(home, "--role", role, "--remove");
    says(removed, "Deleted " + jar);
    assertEquals(role.equals("namenode"), removed.said.contains("Do not delete by hand what is left"
        + " below /.hdfs-ppr in HDFS: Hadoop fails to delete files that a snapshot holds, and the"
        + " NameNode may not start any more. Before the restart, 'hdfs ppr -clear' shows what is"
        + " left and which snapshots hold it.\n"), removed::toString);
    assertEquals(before, home.content());
    says(done(home, "--role", role, "--remove"), "Nothing to remove");
    assertEquals(before, home.content());
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    Run run = done(home, "--role", "client", "--dry-run");
    says(run, "Would copy hdfs-ppr-client-9.8.7-dropin.jar");
    says(run, "Would copy hdfs-ppr.sh");
    assertEquals(before, home.content());
  }

  @Test
  void severalRolesOfOneVersionShareAHost() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    List<String> roles = new ArrayList<>(List.of("datanode", "namenode", "client"));
    for (String role : roles) {
      done(home, "--role", role);
    }
    Collections.reverse(roles);
    for (String role : roles) {
      done(home, "--role", role, "--remove");
    }
    assertEquals(before, home.content());
  }

  @Test
  void removalLeavesWhatWasThereBefore() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path profile = home.dir.resolve("libexec/shellprofile.d");
    Files.createDirectories(profile);
    Files.copy(release.resolve("conf/shellprofile.d/hdfs-ppr.sh"), profile.resolve("hdfs-ppr.sh"));
    Map<String, String> before = home.content();
    done(home, "--role", "client");
    done(home, "--role", "client", "--remove");
    assertEquals(before, home.content());
  }

  @Test
  void printsTheSettingAndKeepsOtherPlugins() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    says(done(home, "--role", "datanode", "--dry-run"), "<property><name>dfs.datanode.plugins"
        + "</name><value>" + DATANODE + "</value></property>");
    home.configure("hdfs-site.xml",
        HadoopHome.property("dfs.datanode.plugins", " com.example.A,\n com.example.B "));
    Run run = done(home, "--role", "datanode", "--dry-run");
    says(run, "<value>com.example.A,com.example.B," + DATANODE + "</value>");
    says(run, "names other plugins now");
  }

  @Test
  void seesTheSettingThatIsThere() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("hdfs-site.xml",
        HadoopHome.property("dfs.datanode.plugins", "com.example.A," + DATANODE));
    Run run = done(home, "--role", "datanode");
    says(run, "has the setting already");
    assertFalse(run.said.contains("<property>"), run::toString);
  }

  @Test
  void aSettingInACommentIsNone() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("hdfs-site.xml",
        "<!-- " + HadoopHome.property("dfs.datanode.plugins", DATANODE) + " -->");
    says(done(home, "--role", "datanode"), "<property><name>dfs.datanode.plugins");
    done(home, "--role", "datanode", "--remove");
  }

  @Test
  void aLaterPropertyOfTheSameNameHolds() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("hdfs-site.xml", HadoopHome.property("dfs.datanode.plugins", "com.example.A"),
        HadoopHome.property("dfs.datanode.plugins", DATANODE));
    says(done(home, "--role", "datanode", "--dry-run"), "has the setting already");
  }

  @Test
  void takesTheConfigurationFromWhereItIs() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path conf = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(conf.resolve("hdfs-site.xml"), "<configuration>"
        + HadoopHome.property("dfs.datanode.plugins", DATANODE) + "</configuration>");
    says(done(home, "--role", "datanode", "--dry-run", "--conf", conf.toString()),
        "has the setting already");
    List<String> command = List.of("bash", release.resolve("bin/hdfs-ppr-install").toString(),
        "--role", "datanode", "--dry-run", home.dir.toString());
    says(HadoopHome.run(command, java, Map.of("HADOOP_CONF_DIR", conf.toString())),
        "has the setting already");
    says(done(home, "--role", "datanode", "--dry-run", "--conf", folder + "/none"),
        "there is no configuration folder '" + folder + "/none'");
  }

  @Test
  void keepsTheJarAsLongAsTheSettingNamesIt() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    for (String role : List.of("datanode", "namenode", "client")) {
      done(home, "--role", role);
    }
    home.configure("hdfs-site.xml", HadoopHome.property("dfs.datanode.plugins", DATANODE),
        HadoopHome.property("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin"));
    home.configure("core-site.xml",
        HadoopHome.property("fs.AbstractFileSystem.hdfs.impl", "org.apache.hadoop.fs.PprHdfs"));
    refused(home, List.of("hdfs-site.xml", "dfs.datanode.plugins", DATANODE, "first"),
        "--role", "datanode", "--remove");
    refused(home, List.of("hdfs-site.xml", "dfs.namenode.plugins", "first"),
        "--role", "namenode", "--remove");
    refused(home, List.of("core-site.xml", "fs.AbstractFileSystem.hdfs.impl", "first"),
        "--role", "client", "--remove");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.10.2", "3.2.4", "3.6.0", "4.0.0", "3.30.1"})
  void refusesAnotherHadoop(String version) throws Exception {
    refused(hadoop(version), List.of("Hadoop " + version, "3.3, 3.4 and 3.5", "upgrade"),
        "--role", "datanode");
  }

  @Test
  void refusesWhatIsNoHadoop() throws Exception {
    HadoopHome empty = new HadoopHome(Files.createDirectory(folder.resolve("empty")));
    refused(empty, List.of("'" + empty.dir + "'", "share/hadoop/hdfs/lib", "name the folder"),
        "--role", "datanode");
    HadoopHome missing = hadoop("3.4.3");
    Files.delete(missing.dir.resolve("share/hadoop/hdfs/hadoop-hdfs-3.4.3.jar"));
    refused(missing, List.of("hadoop-hdfs-VERSION.jar", "unknown"), "--role", "datanode");
    HadoopHome two = hadoop("3.4.3");
    Files.createFile(two.dir.resolve("share/hadoop/hdfs/hadoop-hdfs-3.3.6.jar"));
    refused(two, List.of("3.3.6", "3.4.3", "mend"), "--role", "datanode");
    Run run = new HadoopHome(folder.resolve("nowhere")).install(release, java, "--role", "client");
    assertEquals(1, run.exit, run::toString);
    says(run, "is not a folder");
  }

  @ParameterizedTest
  @CsvSource({"1.8.0_392", "9.0.4", "10.0.2"})
  void refusesAnOldJava(String version) throws Exception {
    refused(hadoop("3.4.3"), java(version),
        List.of("Java " + version, "11 or newer", "JAVA_HOME"), "--role", "datanode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"11", "11.0.22", "17.0.15", "21.0.1+12", "25-ea"})
  void takesANewerJava(String version) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Run run = home.install(release, java(version), "--role", "datanode", "--dry-run");
    assertEquals(0, run.exit, run::toString);
  }

  @Test
  void theJavaOfHadoopEnvIsTheOneThatCounts() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path env = home.dir.resolve("etc/hadoop/hadoop-env.sh");
    Files.writeString(env, "# export JAVA_HOME=/wrong\nexport JAVA_HOME=" + java("1.8.0_1") + "\n");
    refused(home, List.of("hadoop-env.sh", "Java 1.8.0_1"), "--role", "datanode");
    Files.writeString(env, "JAVA_HOME=\"/no/such/java\"\n");
    refused(home, List.of("hadoop-env.sh", "'/no/such/java'", "no bin/java"),
        "--role", "datanode");
    Files.writeString(env, "# export JAVA_HOME=/wrong\n");
    done(home, "--role", "datanode", "--dry-run");
  }

  @Test
  void refusesASecondVersionOnTheClassPath() throws Exception {
    for (String place : List.of("share/hadoop/hdfs/lib", "share/hadoop/common/lib",
        "share/hadoop/common")) {
      HadoopHome home = hadoop("3.4.3");
      Files.writeString(home.dir.resolve(place).resolve("hdfs-ppr-client-0.1.0-dropin.jar"), "");
      refused(home, List.of(place, "version 0.1.0", "--role client --upgrade"),
          "--role", "datanode");
    }
    HadoopHome home = hadoop("3.4.3");
    Files.writeString(home.dir.resolve("share/hadoop/hdfs/lib/hdfs-ppr-datanode-0.1.0-SNAPSHOT"
        + "-dropin.jar"), "");
    refused(home, List.of("version 0.1.0-SNAPSHOT,", "delete that jar"), "--role", "datanode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "client"})
  void anUpgradeReplacesTheJarAndKeepsTheSetting(String role) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    done(home, "--role", role);
    release = release("9.9.0");
    refused(home, List.of("version 9.8.7", "--role " + role + " --upgrade"), "--role", role);
    Path old = home.lib().resolve("hdfs-ppr-" + role + "-9.8.7-dropin.jar");
    says(done(home, "--role", role, "--upgrade", "--dry-run"), "Would delete " + old);
    assertTrue(Files.exists(old));
    home.configure("hdfs-site.xml", HadoopHome.property("dfs.datanode.plugins", DATANODE));
    says(done(home, "--role", role, "--upgrade"), "Deleted " + old);
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(home.lib().resolve("hdfs-ppr-" + role + "-9.9.0-dropin.jar")));
    says(done(home, "--role", role, "--upgrade"), "The files are there already");
    home.configure("hdfs-site.xml");
    done(home, "--role", role, "--remove");
    assertEquals(before, home.content());
  }

  @Test
  void anUpgradeOfSeveralRolesNamesThoseThatAreLeft() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    done(home, "--role", "client");
    release = release("9.9.0");
    says(done(home, "--role", "datanode", "--upgrade"),
        "hdfs-ppr-client-9.8.7-dropin.jar' has another version. Upgrade that role, too");
    Run run = done(home, "--role", "client", "--upgrade");
    assertFalse(run.said.contains("Upgrade that role"), run::toString);
  }

  @Test
  void anUpgradeReplacesTheCommandToo() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    done(home, "--role", "client");
    release = release("9.9.0");
    Files.writeString(release.resolve("conf/shellprofile.d/hdfs-ppr.sh"), "# newer\n");
    done(home, "--role", "client", "--upgrade");
    Path command = home.dir.resolve("libexec/shellprofile.d/hdfs-ppr.sh");
    assertEquals("# newer\n", Files.readString(command));
    Files.writeString(release.resolve("conf/shellprofile.d/hdfs-ppr.sh"), "# newest\n");
    refused(home, List.of("hdfs-ppr.sh", "differs", "--upgrade"), "--role", "client");
    done(home, "--role", "client", "--remove");
    assertEquals(before, home.content());
  }

  /** A run that was killed may have left lines for the old and for the new command. */
  @Test
  void removesAFileThatHasTwoLinesInTheRecord() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    done(home, "--role", "client");
    Path record = home.dir.resolve("share/hadoop/hdfs/.hdfs-ppr-client.installed");
    Files.writeString(record, "00ff libexec/hdfs-ppr.bash\n" + Files.readString(record)
        + "ffff libexec/hdfs-ppr.bash\n");
    Run run = done(home, "--role", "client", "--remove");
    assertEquals(1, run.said.lines().filter(line -> line.startsWith("Deleted ")
        && line.endsWith("hdfs-ppr.bash")).count(), run::toString);
    assertEquals(before, home.content());
  }

  /** A run that was killed may have left two versions. */
  @Test
  void anUpgradeReplacesTwoOldJars() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    Path record = home.dir.resolve("share/hadoop/hdfs/.hdfs-ppr-datanode.installed");
    String first = Files.readString(record);
    doneBy(release("9.8.8"), home, "--role", "datanode", "--upgrade");
    Files.writeString(record, first + Files.readString(record));
    Files.copy(release.resolve("lib").resolve(jar("datanode", "9.8.7")),
        home.lib().resolve(jar("datanode", "9.8.7")));
    doneBy(release("9.9.0"), home, "--role", "datanode", "--upgrade");
    assertEquals(Set.of(jar("datanode", "9.9.0")), jars(home));
  }

  @Test
  void anUpgradeDeletesOnlyWhatThisScriptPutIn() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Files.writeString(home.lib().resolve("hdfs-ppr-datanode-0.1.0-SNAPSHOT-dropin.jar"), "");
    refused(home, List.of("version 0.1.0-SNAPSHOT", "not put there by this script", "delete"),
        "--role", "datanode", "--upgrade");
    HadoopHome changed = hadoop("3.4.3");
    done(changed, "--role", "datanode");
    Files.writeString(changed.lib().resolve("hdfs-ppr-datanode-9.8.7-dropin.jar"), "changed");
    release = release("9.9.0");
    refused(changed, List.of("9.8.7", "delete"), "--role", "datanode", "--upgrade");
  }

  @Test
  void refusesAnotherBuildOfTheSameVersionAndTheSameJarElsewhere() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path jar = home.lib().resolve("hdfs-ppr-datanode-9.8.7-dropin.jar");
    Files.writeString(jar, "another build");
    refused(home, List.of(jar.toString(), "another build of version 9.8.7"), "--role", "datanode");
    Files.move(jar, home.dir.resolve("share/hadoop/common/lib").resolve(jar.getFileName()));
    refused(home, List.of("common/lib", "another place"), "--role", "datanode");
  }

  @Test
  void refusesAJarThatTheClassPathVariableNames() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Files.writeString(home.dir.resolve("etc/hadoop/hadoop-env.sh"),
        "export HADOOP_CLASSPATH=/opt/x:/opt/hdfs-ppr-client-0.1.0-dropin.jar\n");
    refused(home, List.of("hadoop-env.sh", "/opt/hdfs-ppr-client-0.1.0-dropin.jar"),
        "--role", "client");
    HadoopHome other = hadoop("3.4.3");
    Run run = HadoopHome.run(List.of("bash", release.resolve("bin/hdfs-ppr-install").toString(),
        "--role", "client", other.dir.toString()), java,
        Map.of("HADOOP_CLASSPATH", "/a/*:/opt/hdfs-ppr-client-0.1.0-dropin.jar"));
    assertEquals(1, run.exit, run::toString);
    says(run, "HADOOP_CLASSPATH of the environment");
  }

  @Test
  void refusesAnotherFileSystem() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("core-site.xml", HadoopHome.property("fs.hdfs.impl", "com.example.Hdfs"));
    refused(home, List.of("core-site.xml", "fs.hdfs.impl", "com.example.Hdfs"),
        "--role", "client");
  }

  @Test
  void doesNotRemoveWhatItDidNotPutThere() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path jar = home.lib().resolve("hdfs-ppr-datanode-9.8.7-dropin.jar");
    Files.copy(release.resolve("lib/hdfs-ppr-datanode-9.8.7-dropin.jar"), jar);
    says(done(home, "--role", "datanode"), "The files are there already");
    refused(home, List.of(jar.toString(), "was not put there by this script"),
        "--role", "datanode", "--remove");
    HadoopHome changed = hadoop("3.4.3");
    done(changed, "--role", "datanode");
    Files.writeString(changed.lib().resolve(jar.getFileName()), "changed");
    refused(changed, List.of("has been changed since"), "--role", "datanode", "--remove");
    HadoopHome foreign = hadoop("3.4.3");
    Files.writeString(foreign.dir.resolve("share/hadoop/hdfs/.hdfs-ppr-datanode.installed"),
        "0123 ../../../../etc/passwd\n");
    refused(foreign, List.of("etc/passwd", "does not write"), "--role", "datanode", "--remove");
  }

  @Test
  void aFileThatIsGoneAlreadyIsNoObstacle() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    done(home, "--role", "datanode");
    Files.delete(home.lib().resolve("hdfs-ppr-datanode-9.8.7-dropin.jar"));
    done(home, "--role", "datanode");
    Files.delete(home.lib().resolve("hdfs-ppr-datanode-9.8.7-dropin.jar"));
    done(home, "--role", "datanode", "--remove");
    assertEquals(before, home.content());
  }

  @Test
  void aCopyThatFailsLeavesNothingBehind() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    // A file has the name of the folder for the role's second file, so the installer cannot copy
    // the second file.
    Files.writeString(home.dir.resolve("libexec/shellprofile.d"), "");
    Map<String, String> before = home.content();
    Run run = home.install(release, java, "--role", "client");
    assertEquals(1, run.exit, run::toString);
    assertEquals(before, home.content());
  }

  /**
   * Wherever an upgrade is ended, either all files are as before or all new files are in place.
   * There is always one of the two jars.
   */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"datanode, true", "datanode, false", "client, true", "client, false"})
  void aSignalAtAnyStepOfAnUpgradeLeavesItAsItWasOrDone(String role, boolean before)
      throws Exception {
    Path newer = release("9.8.8");
    int undone = 0;
    for (int call = 1; call <= CALLS; call++) {
      HadoopHome home = hadoop("3.4.3");
      done(home, "--role", role);
      Map<String, String> old = home.content();
      Run run = home.install(newer, java, endingAt(call, "TERM", before), "--role", role,
          "--upgrade");
      if (run.exit == 1) {
        assertEquals(old, home.content(), "call " + call + ": " + run);
        assertEquals(1, run.said.lines().filter(line -> line.startsWith("hdfs-ppr-install: "))
            .count(), run::toString);
        undone++;
      } else {
        assertEquals(0, run.exit, run::toString);
        assertEquals(Set.of(jar(role, "9.8.8")), jars(home), "call " + call);
        assertTrue(home.content().keySet().stream()
            .noneMatch(path -> path.matches(".*dropin\\.jar.+")), "call " + call);
      }
    }
    assertTrue(undone >= 8, undone + " calls were ended");
  }

  /**
   * The installer is killed, as by a power failure, and undoes nothing. A later run must still
   * succeed.
   */
  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"datanode", "client"})
  void afterAKillAtAnyStepOfAnUpgradeALaterRunEndsIt(String role) throws Exception {
    Path newer = release("9.8.8");
    int killed = 0;
    for (int call = 1; call <= CALLS; call++) {
      HadoopHome home = hadoop("3.4.3");
      done(home, "--role", role);
      Run run = home.install(newer, java, endingAt(call, "KILL", true), "--role", role,
          "--upgrade");
      killed += run.exit == 0 ? 0 : 1;
      assertFalse(jars(home).isEmpty(), "call " + call);
      // The tool that the killed run had started still holds the lock until it ends.
      Run ended = HadoopHome.run(List.of("flock", "-w", "60",
          home.dir.resolve("share/hadoop/hdfs").toString(), "true"), java, Map.of());
      assertEquals(0, ended.exit, ended::toString);
      Run again = home.install(newer, java, "--role", role, "--upgrade");
      assertEquals(0, again.exit, again::toString);
      assertEquals(Set.of(jar(role, "9.8.8")), jars(home), "call " + call);
      Run removed = home.install(newer, java, "--role", role, "--remove");
      assertEquals(0, removed.exit, removed::toString);
      assertEquals(List.of(), home.content().keySet().stream()
          .filter(path -> path.contains("hdfs-ppr")).collect(Collectors.toList()));
    }
    assertTrue(killed >= 8, killed + " calls were killed");
  }

  @Test
  void removesNothingWhereTheConfigurationIsUnknown() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    refused(home, List.of("no-such-folder/hdfs-site.xml", "--conf"), "--role", "datanode",
        "--remove", "--conf", "no-such-folder");
  }

  @Test
  void refusesAJavaThatFails() throws Exception {
    Path broken = java("99");
    Files.writeString(broken.resolve("bin/java"), "#!/bin/sh\nexit 3\n");
    refused(hadoop("3.4.3"), broken, List.of("states no version"), "--role", "datanode");
  }

  @Test
  void refusesAReleaseThatIsNotWhole() throws Exception {
    Files.delete(release.resolve("lib/hdfs-ppr-datanode-9.8.7-dropin.jar"));
    refused(hadoop("3.4.3"), List.of("0 files", "hdfs-ppr-VERSION.tar.gz"), "--role", "datanode");
  }

  @Test
  void saysWhereTheNativeKernelsDoNotLoad() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    assertFalse(done(home, "--role", "datanode", "--dry-run").said.contains("native kernels"));
    Files.writeString(release.resolve("lib/native-glibc"), "99.1\n");
    says(done(home, "--role", "datanode", "--dry-run"), "the native kernels want glibc 99.1");
    Files.writeString(release.resolve("lib/native-glibc"), "none\n");
    says(done(home, "--role", "datanode", "--dry-run"), "built without native kernels");
  }

  @Test
  void saysThatItDoesNotReadIncludedFiles() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("hdfs-site.xml", "<xi:include href=\"more.xml\"/>");
    says(done(home, "--role", "datanode", "--dry-run"), "includes other files");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--role", "--role journalnode /x", "/x", "--role datanode",
      "--role datanode /x /y", "--role datanode --force /x", "--role client --upgrade --remove /x",
      "--role client --with-files --base-only /x", "--role client --remove --base-only /x"})
  void wrongUsageIsTwo(String arguments) throws Exception {
    List<String> command = new ArrayList<>(
        List.of("bash", release.resolve("bin/hdfs-ppr-install").toString()));
    if (!arguments.isEmpty()) {
      command.addAll(List.of(arguments.split(" ")));
    }
    Run run = HadoopHome.run(command, java, Map.of());
    assertEquals(2, run.exit, run::toString);
    assertEquals(1, run.said.strip().lines().count(), run::toString);
    says(run, "--help");
  }
}
