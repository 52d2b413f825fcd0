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

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.hdfsppr.it.release.HadoopHome.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the installer harms nothing: files of others, a second run, a power failure in the
 * middle, and settings in spellings of XML that Hadoop understands.
 */
class TestInstallerSafety extends InstallerRuns {

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "client"})
  void keepsCopiesThatAnOperatorHasMade(String role) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Files.createDirectories(home.dir.resolve("libexec/shellprofile.d"));
    List<String> kept = new ArrayList<>();
    for (String file : List.of("share/hadoop/hdfs/lib/hdfs-ppr-" + role + "-0.1.0-dropin.jar",
        "share/hadoop/hdfs/lib/hdfs-ppr-files-" + role + "-0.1.0-dropin.jar",
        "share/hadoop/hdfs/.hdfs-ppr-files-" + role + ".installed",
        "libexec/hdfs-ppr.sh", "libexec/hdfs-ppr.bash", "libexec/shellprofile.d/hdfs-ppr.sh",
        "share/hadoop/hdfs/.hdfs-ppr-" + role + ".installed")) {
      for (String end : List.of(".bak1", ".2024", ".orig1", ".old1", ".new", ".new.1a",
          ".old.2024-01-31", ".part.7", ".rest.1.gz")) {
        kept.add(file + end);
      }
    }
    for (String file : kept) {
      Files.writeString(home.dir.resolve(file), "a copy");
    }
    Map<String, String> before = home.content();
    done(home, "--role", role);
    for (String file : kept) {
      assertTrue(Files.exists(home.dir.resolve(file)), file);
    }
    done(home, "--role", role, "--remove");
    assertEquals(before, home.content());
  }

  @Test
  void deletesWhatAnInterruptedRunHasLeft() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    List<String> left = List.of("lib/hdfs-ppr-datanode-0.1.0-dropin.jar.new.12",
        "lib/hdfs-ppr-datanode-0.1.0-dropin.jar.old.12",
        "lib/hdfs-ppr-datanode-0.1.0-dropin.jar.old.12.part", ".hdfs-ppr-datanode.installed.new.7",
        ".hdfs-ppr-datanode.installed.rest.7", ".hdfs-ppr-datanode.installed.both.7",
        "lib/hdfs-ppr-files-datanode-0.1.0-dropin.jar.old.12",
        ".hdfs-ppr-files-datanode.installed.rest.7");
    for (String file : left) {
      Files.writeString(home.dir.resolve("share/hadoop/hdfs").resolve(file), "left");
    }
    Files.writeString(home.dir.resolve("libexec/hdfs-ppr.bash.new.7"), "of another role");
    done(home, "--role", "datanode");
    for (String file : left) {
      assertFalse(Files.exists(home.dir.resolve("share/hadoop/hdfs").resolve(file)), file);
    }
    assertTrue(Files.exists(home.dir.resolve("libexec/hdfs-ppr.bash.new.7")));
    Files.delete(home.dir.resolve("libexec/hdfs-ppr.bash.new.7"));
    done(home, "--role", "datanode", "--remove");
    assertEquals(before, home.content());
  }

  /** Two runs would delete each other's temporary files, and write one record. */
  @Test
  void refusesWhileAnotherRunWorks() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Process other = new ProcessBuilder("bash", "-c",
        "exec 9< \"$1\"; flock 9; echo locked; read -r end", "-",
        home.dir.resolve("share/hadoop/hdfs").toString()).start();
    try {
      BufferedReader said = new BufferedReader(
          new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8));
      assertEquals("locked", said.readLine());
      refused(home, List.of("another run of this script", "wait"), "--role", "datanode");
      refused(home, List.of("another run of this script"), "--role", "datanode", "--remove");
      done(home, "--role", "datanode", "--dry-run");
    } finally {
      other.getOutputStream().close();
      other.waitFor();
    }
    done(home, "--role", "datanode");
  }

  @Test
  void bytesAreOnTheDiskBeforeTheirNamesAre() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    release = release("9.9.0");
    Path notes = folder.resolve("notes");
    Run run = home.install(release, java, noting(notes), "--role", "datanode", "--upgrade");
    assertEquals(0, run.exit, run::toString);
    List<String> calls = Files.readAllLines(notes);
    int renamed = at(calls, "mv .*9\\.9\\.0-dropin\\.jar\\.new\\.\\d+ .*9\\.9\\.0-dropin\\.jar");
    assertTrue(at(calls, "sync .*9\\.9\\.0-dropin\\.jar\\.new\\.\\d+") < renamed, calls::toString);
    int kept = at(calls, "sync .*/hdfs/lib");
    assertTrue(renamed < kept, calls::toString);
    int deleted = at(calls, "rm -f .*9\\.8\\.7-dropin\\.jar");
    assertTrue(kept < deleted, calls::toString);
    // The record that names both jars is on the disk before the first of them is touched.
    int recorded = at(calls, "mv .*installed\\.new\\.\\d+ .*installed");
    assertTrue(at(calls, "sync .*installed\\.new\\.\\d+") < recorded, calls::toString);
    assertTrue(recorded < renamed, calls::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<property name=\"dfs.datanode.plugins\" value=\"CLASS\"/>",
      "<property name='dfs.datanode.plugins'\n  value=' com.example.A, CLASS ' final='true' />",
      "<property name=\"dfs.datanode.plugins\"><value>CLASS</value></property>",
      "<property value=\"CLASS\"><name>dfs.datanode.plugins</name></property>",
      "<property ><name >dfs.datanode.plugins</name ><value >CLASS</value ></property >",
      "<property><name><![CDATA[dfs.datanode.plugins]]></name><value><![CDATA[CLASS]]></value>"
          + "</property>",
      "<property><!-- <value>none</value> --><name>dfs.datanode.plugins</name>\n<final>true</final>"
          + "<value>CLASS</value><description>a > b</description></property>",
      "<property><name>other</name><value><![CDATA[ <!-- ]]></value></property>"
          + "<property><name>dfs.datanode.plugins</name><value>CLASS</value></property>"
          + "<!-- <![CDATA[ --><property><name>more</name><value>1</value></property>",
      "<property><name>dfs.datanode.plugins</name><value>CLASS</value></property>"
          + "<property name='other' value='a>b'/>"
          + "<property><name>another</name><value>dfs.datanode.plugins</value></property>"})
  void understandsEachSpellingOfAProperty(String text) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    home.configure("hdfs-site.xml", text.replace("CLASS", DATANODE));
    says(done(home, "--role", "datanode"), "has the setting already");
    refused(home, List.of("hdfs-site.xml", "dfs.datanode.plugins", DATANODE, "first"),
        "--role", "datanode", "--remove");
    home.configure("hdfs-site.xml", text.replace("CLASS", "com.example.Other"));
    says(done(home, "--role", "datanode", "--dry-run"), "com.example.Other," + DATANODE);
    done(home, "--role", "datanode", "--remove");
  }

  @Test
  void keepsTheJarIfAnyFileOfTheConfigurationNamesIt() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    home.configure("core-site.xml", HadoopHome.property("dfs.datanode.plugins", DATANODE));
    refused(home, List.of("core-site.xml", DATANODE), "--role", "datanode", "--remove");
    home.configure("core-site.xml");
    home.configure("hdfs-site.xml", "<xi:include href=\"more.xml\"/>");
    refused(home, List.of("'more.xml'", "cannot read"), "--role", "datanode", "--remove");
    home.configure("more.xml", HadoopHome.property("dfs.datanode.plugins", DATANODE));
    refused(home, List.of("more.xml' still names", DATANODE), "--role", "datanode", "--remove");
    home.configure("more.xml");
    done(home, "--role", "datanode", "--remove");
  }

  @Test
  void keepsTheJarIfItDoesNotUnderstandTheConfiguration() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    home.configure("hdfs-site.xml", HadoopHome.property("dfs.datanode.plugins",
        "org.hdfsppr&#46;datanode.PprDataNodePlugin"));
    refused(home, List.of("character references"), "--role", "datanode", "--remove");
    home.configure("hdfs-site.xml", HadoopHome.property("dfs.datanode.plugins", "${plugins}"));
    refused(home, List.of("${plugins}", "does not resolve"), "--role", "datanode", "--remove");
    Files.writeString(home.dir.resolve("etc/hadoop/hdfs-site.xml"), "<?xml version=\"1.0\"?>"
        + "<!DOCTYPE configuration [<!ENTITY p \"org.hdfsppr\">]><configuration>"
        + HadoopHome.property("dfs.datanode.plugins", "&p;.datanode.PprDataNodePlugin")
        + "</configuration>");
    refused(home, List.of("entities"), "--role", "datanode", "--remove");
    Files.writeString(home.dir.resolve("etc/hadoop/hdfs-site.xml"), "<configuration>",
        StandardCharsets.UTF_16);
    refused(home, List.of("no <configuration>"), "--role", "datanode", "--remove");
    home.configure("hdfs-site.xml");
    done(home, "--role", "datanode", "--remove");
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void putsTheJarWhereThePackagesOfADistributionHaveTheirs(String role) throws Exception {
    Path root = Files.createTempDirectory(folder, "usr li b");
    HadoopHome home = HadoopHome.packaged(root, "3.3.6-amzn-2");
    Map<String, String> before = HadoopHome.content(root);
    refused(home, List.of("--lib"), "--role", role);
    String lib = root.resolve("hadoop-hdfs/lib").toString();
    Run run = done(home, "--role", role, "--lib", lib);
    says(run, "Hadoop 3.3.6-amzn-2");
    Path jar = root.resolve("hadoop-hdfs/lib/hdfs-ppr-" + role + "-9.8.7-dropin.jar");
    assertTrue(Files.exists(jar), run::toString);
    says(done(home, "--role", role, "--lib=" + lib), "The files are there already");
    release = release("9.9.0");
    refused(home, List.of("version 9.8.7"), "--role", role, "--lib", lib);
    done(home, "--role", role, "--lib", lib, "--upgrade");
    assertFalse(Files.exists(jar));
    done(home, "--role", role, "--lib", lib, "--remove");
    assertEquals(before, HadoopHome.content(root));
    // A second jar on the class path is seen in the home as well.
    Files.writeString(home.dir.resolve("lib/hdfs-ppr-client-0.1.0-dropin.jar"), "");
    refused(home, List.of("hadoop/lib/hdfs-ppr-client-0.1.0"), "--role", role, "--lib", lib);
  }

  @Test
  void refusesAFolderForJarsThatHasNoHadoopBesideIt() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    refused(home, List.of("hadoop-hdfs-VERSION.jar"), "--role", "datanode", "--lib",
        home.dir.resolve("libexec").toString());
    refused(home, List.of("'/no/such' is not a folder", "--lib"), "--role", "datanode", "--lib",
        "/no/such");
  }

  /** One damaged jar of a release does not keep the other roles from being installed. */
  @Test
  void refusesADamagedJar() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path jar = release.resolve("lib/hdfs-ppr-datanode-9.8.7-dropin.jar");
    Files.writeString(jar, "damaged");
    for (String option : List.of("--dry-run", "--upgrade")) {
      refused(home, List.of("'" + jar + "'", "SHA512SUMS", "unpack the release again"),
          "--role", "datanode", option);
    }
    done(home, "--role", "namenode");
  }

  @Test
  void refusesAJarWithoutAChecksum() throws Exception {
    Path sums = release.resolve("SHA512SUMS");
    Files.writeString(sums, Files.readString(sums).replace("lib/hdfs-ppr-client", "lib/other"));
    refused(hadoop("3.4.3"), List.of("'" + sums + "' has no checksum of "
        + "'lib/hdfs-ppr-client-9.8.7-dropin.jar'", "unpack"), "--role", "client");
    Files.writeString(sums, "zz  lib/hdfs-ppr-client-9.8.7-dropin.jar\n");
    refused(hadoop("3.4.3"), List.of("SHA512SUMS", "unpack"), "--role", "client");
  }

  @Test
  void saysThatThereAreNoChecksums() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    String words = "has no SHA512SUMS";
    assertFalse(done(home, "--role", "client", "--dry-run").said.contains(words));
    Files.delete(release.resolve("SHA512SUMS"));
    says(done(home, "--role", "client"), words);
    done(home, "--role", "client", "--remove");
  }
}
