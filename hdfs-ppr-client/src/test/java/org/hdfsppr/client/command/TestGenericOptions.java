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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tests which cluster a command works on: by generic options, by a path, or by a mount table. */
@Timeout(60)
class TestGenericOptions {
  private Configuration conf;
  private ToolRun tool;
  /** What the commands that were not refused have worked on: clusters and paths. */
  private final List<String> done = new ArrayList<>();

  @TempDir
  private Path folder;

  /** Takes note of the cluster that it works on. */
  @Command(name = "-where", description = "A command of the test.")
  private final class Where extends ToolCommand {
    private final CommandEnvironment surroundings;

    @Option(names = "-policy", description = "An option of the command.")
    private String policy;

    @Parameters(arity = "0..*", description = "Paths.")
    private List<String> paths = new ArrayList<>();

    Where(CommandEnvironment surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    protected ExitCode run(ToolOutput output) throws IOException {
      if (paths.isEmpty()) {
        done.add(surroundings.conf().get("fs.defaultFS"));
        return ExitCode.DONE;
      }
      Cluster cluster = cluster(surroundings.conf(), paths);
      done.add(cluster.conf.get("fs.defaultFS") + " " + cluster.paths);
      return ExitCode.DONE;
    }
  }

  /** The default file system of the client is not the cluster. */
  @BeforeEach
  void elsewhere() {
    conf = NameNodePair.of("nn1", "nn2");
    conf.set("fs.defaultFS", "hdfs://elsewhere.invalid");
    tool = new ToolRun(conf).with(surroundings -> List.of(new Where(surroundings)));
  }

  private void submitted(List<String> expected, String... args) {
    done.clear();
    assertEquals(0, tool.run(args), tool.err());
    assertEquals(List.of("hdfs://ns " + expected), done);
    done.clear();
  }

  private void misuse(String words, String... args) {
    assertEquals(2, tool.run(args), tool.out() + tool.err());
    assertTrue(tool.err().contains(words), tool.err());
    assertEquals(1, tool.err().lines().count(), tool.err());
    assertEquals(List.of(), done);
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
    before.addAll(List.of("-where", "-policy", "P", "/a"));
    submitted(List.of("/a"), before.toArray(new String[0]));
    List<String> after = new ArrayList<>(List.of("-where", "-policy", "P"));
    after.addAll(words);
    after.add("/a");
    submitted(List.of("/a"), after.toArray(new String[0]));
    List<String> last = new ArrayList<>(List.of("-where", "-policy", "P", "/a"));
    last.addAll(words);
    submitted(List.of("/a"), last.toArray(new String[0]));
  }

  @Test
  void aFullPathChoosesItsCluster() {
    submitted(List.of("/a/b c", "/d"), "-where", "-policy", "P", "hdfs://ns/a/b c",
        "hdfs://ns/d");
    assertEquals("hdfs://elsewhere.invalid", conf.get("fs.defaultFS"));
    misuse("'hdfs://ns/b' is in hdfs://ns, and '/a' is in hdfs://elsewhere.invalid; give each"
        + " cluster a command of its own", "-where", "-policy", "P", "/a", "hdfs://ns/b");
    misuse("'s3a://x/b' is in s3a://x, which is no HDFS", "-where", "s3a://x/b");
    conf.set("fs.defaultFS", "file:///");
    misuse("'/b' is in file:///, which is no HDFS; write hdfs://NAMESERVICE/PATH", "-where", "/b");
  }

  @Test
  void aPathWithoutTheRootIsBelowTheUsersHome() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    submitted(List.of("/user/" + user + "/x"), "-fs", "hdfs://ns", "-where", "-policy", "P",
        "x");
    submitted(List.of("/home/" + user + "/x"), "-D", "dfs.user.home.dir.prefix=/home", "-fs",
        "hdfs://ns", "-where", "-policy", "P", "x");
  }

  @Test
  void aMountTableLeadsToItsCluster() throws IOException {
    conf.set("fs.defaultFS", "viewfs://table");
    conf.set("fs.viewfs.mounttable.table.link./data", "hdfs://ns/warm");
    conf.set("fs.viewfs.mounttable.table.link./data2", "hdfs://ns/");
    conf.set("fs.viewfs.mounttable.table.link./user", "hdfs://ns/home");
    conf.set("fs.viewfs.mounttable.table.link./tmp", "file:///tmp");
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    submitted(List.of("/warm/a", "/warm", "/b/c", "/home/" + user + "/x"), "-where", "-policy",
        "P", "/data/a", "viewfs://table/data", "/data2/b/c", "x");
    misuse("'/other' is below no mount point of viewfs://table/", "-where", "-policy", "P",
        "/other");
    misuse("'/tmp/x' is below the mount point /tmp of viewfs://table/, which does not lead to one"
        + " HDFS", "-where", "-policy", "P", "/tmp/x");
    assertEquals(1, tool.run("-status"));
    assertTrue(tool.err().contains("fs.defaultFS is viewfs://table, which is no HDFS; name the"
        + " cluster with -fs hdfs://NAMESERVICE"), tool.err());
    assertEquals(0, tool.run("-where", "-fs", "hdfs://ns"), tool.err());
    assertEquals(List.of("hdfs://ns"), done);
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    for (String option : List.of("-jt", "-files", "-libjars", "-archives")) {
      misuse("hdfs ppr takes none of them", "-where", "-policy", "P", option, "x", "/a");
      misuse("hdfs ppr takes none of them", option, "x", "-status");
    }
    misuse("-conf '/no/such' is no file", "-conf", "/no/such", "-status");
    misuse("-fs 'a b' is no URI", "-status", "-fs", "a b");
    misuse("-D", "-status", "-D", "key");
  }

  /** Every command says that it takes them. */
  @Test
  void helpNamesThem() {
    for (String command : List.of("-status", "-where", "-explain")) {
      assertEquals(0, tool.run(command, "-help"), tool.err());
      for (String option : List.of("-fs=URI", "-conf=FILE", "-D=KEY=VALUE")) {
        assertTrue(tool.out().contains(option), tool.out());
      }
      assertTrue(!tool.out().contains("-libjars"), tool.out());
    }
  }
}
