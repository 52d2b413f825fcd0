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
package org.hdfsppr.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which cluster a command works on: by generic options, by a path, or by a mount table. */
@Timeout(60)
class TestGenericOptions extends OnCannedPlugins {
  private Configuration conf;

  @TempDir
  private Path folder;

  /** The default file system of the client is not the cluster. */
  @BeforeEach
  void elsewhere() {
    conf = plugins.client();
    conf.set("fs.defaultFS", "hdfs://elsewhere.invalid");
    tool = new ToolRun(conf);
  }

  private void submitted(List<String> expected, String... args) {
    int before = plugins.requests.size();
    assertEquals(0, tool.run(args), tool.err());
    assertEquals(before + 1, plugins.requests.size());
    assertEquals(expected, plugins.requests.get(before).paths);
  }

  private void misuse(String words, String... args) {
    assertEquals(2, tool.run(args), tool.out() + tool.err());
    assertTrue(tool.err().contains(words), tool.err());
    assertEquals(1, tool.err().lines().count(), tool.err());
    assertEquals(List.of(), plugins.requests);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-fs hdfs://ns", "-D fs.defaultFS=hdfs://ns", "-Dfs.defaultFS=hdfs://ns",
      "-fs hdfs://other -D fs.defaultFS=hdfs://ns -D a=b=c,d", "-fs ns", "-conf FILE",
      "-conf FILE -conf FILE2"})
  void optionsStandBeforeAndAfterTheName(String options) throws IOException {
    Path file = Files.writeString(folder.resolve("more.xml"), "<configuration><property><name>"
        + "fs.defaultFS</name><value>hdfs://ns</value></property></configuration>");
    if (options.contains("FILE")) {
      // A property that a program has set counts more than files, and this test is the program.
      conf.unset("fs.defaultFS");
    }
    Path second = Files.writeString(folder.resolve("second.xml"), "<configuration/>");
    List<String> words = List.of(options.replace("FILE2", second.toString())
        .replace("FILE", file.toString()).split(" "));
    List<String> before = new ArrayList<>(words);
    before.addAll(List.of("-convert", "-policy", "P", "/a"));
    submitted(List.of("/a"), before.toArray(new String[0]));
    List<String> after = new ArrayList<>(List.of("-convert", "-policy", "P"));
    after.addAll(words);
    after.add("/a");
    submitted(List.of("/a"), after.toArray(new String[0]));
    List<String> last = new ArrayList<>(List.of("-convert", "-policy", "P", "/a"));
    last.addAll(words);
    submitted(List.of("/a"), last.toArray(new String[0]));
  }

  @Test
  void aFullPathChoosesItsCluster() {
    submitted(List.of("/a/b c", "/d"), "-convert", "-policy", "P", "hdfs://ns/a/b c",
        "hdfs://ns/d");
    assertEquals(0, tool.run("-core", "-protect", "hdfs://ns/warm"), tool.err());
    assertEquals(List.of("protect /warm"), List.of(plugins.actions.get(0).substring(0, 13)));
    assertEquals("hdfs://elsewhere.invalid", conf.get("fs.defaultFS"));
    plugins.requests.clear();
    misuse("'hdfs://ns/b' is in hdfs://ns, and '/a' is in hdfs://elsewhere.invalid; give each"
        + " cluster a command of its own", "-convert", "-policy", "P", "/a", "hdfs://ns/b");
    misuse("'s3a://x/b' is in s3a://x, which is no HDFS", "-commit", "s3a://x/b");
    conf.set("fs.defaultFS", "file:///");
    misuse("'/b' is in file:///, which is no HDFS; write hdfs://NAMESERVICE/PATH", "-commit", "/b");
  }

  @Test
  void aPathWithoutTheRootIsBelowTheUsersHome() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    submitted(List.of("/user/" + user + "/x"), "-fs", "hdfs://ns", "-convert", "-policy", "P",
        "x");
    submitted(List.of("/home/" + user + "/x"), "-D", "dfs.user.home.dir.prefix=/home", "-fs",
        "hdfs://ns", "-convert", "-policy", "P", "x");
  }

  @Test
  void aMountTableLeadsToItsCluster() throws IOException {
    conf.set("fs.defaultFS", "viewfs://table");
    conf.set("fs.viewfs.mounttable.table.link./data", "hdfs://ns/warm");
    conf.set("fs.viewfs.mounttable.table.link./data2", "hdfs://ns/");
    conf.set("fs.viewfs.mounttable.table.link./user", "hdfs://ns/home");
    conf.set("fs.viewfs.mounttable.table.link./tmp", "file:///tmp");
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    submitted(List.of("/warm/a", "/warm", "/b/c", "/home/" + user + "/x"), "-convert", "-policy",
        "P", "/data/a", "viewfs://table/data", "/data2/b/c", "x");
    plugins.requests.clear();
    misuse("'/other' is below no mount point of viewfs://table/", "-convert", "-policy", "P",
        "/other");
    misuse("'/tmp/x' is below the mount point /tmp of viewfs://table/, which does not lead to one"
        + " HDFS", "-convert", "-policy", "P", "/tmp/x");
    assertEquals(1, tool.run("-status"));
    assertTrue(tool.err().contains("fs.defaultFS is viewfs://table, which is no HDFS; name the"
        + " cluster with -fs hdfs://NAMESERVICE"), tool.err());
    assertEquals(0, tool.run("-convert", "-status", "-fs", "hdfs://ns"), tool.err());
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    for (String option : List.of("-jt", "-files", "-libjars", "-archives")) {
      misuse("hdfs ppr takes none of them", "-convert", "-policy", "P", option, "x", "/a");
      misuse("hdfs ppr takes none of them", option, "x", "-status");
    }
    misuse("-conf '/no/such' is no file", "-conf", "/no/such", "-status");
    misuse("-fs 'a b' is no URI", "-status", "-fs", "a b");
    misuse("-D", "-status", "-D", "key");
  }

  /** Every command says that it takes them. */
  @Test
  void helpNamesThem() {
    for (String command : List.of("-status", "-convert", "-nbd", "-explain")) {
      assertEquals(0, tool.run(command, "-help"), tool.err());
      for (String option : List.of("-fs=URI", "-conf=FILE", "-D=KEY=VALUE")) {
        assertTrue(tool.out().contains(option), tool.out());
      }
      assertTrue(!tool.out().contains("-libjars"), tool.out());
    }
  }
}
