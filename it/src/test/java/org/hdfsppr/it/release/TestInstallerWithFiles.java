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

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.hdfsppr.it.release.HadoopHome.Run;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the second jar of a role, hdfs-ppr-files-ROLE: when the installer puts it in and removes
 * it, that it never stays without the other jar of its version, and the way from 0.2.0, which had
 * one jar, and back.
 */
class TestInstallerWithFiles extends InstallerRuns {

  private static Path record(HadoopHome home, String part) {
    return home.dir.resolve("share/hadoop/hdfs/.hdfs-ppr-" + part + ".installed");
  }

  /** Returns the line of a record for a file of a home. */
  private static String line(HadoopHome home, String path) throws Exception {
    byte[] sum = MessageDigest.getInstance("SHA-256")
        .digest(Files.readAllBytes(home.dir.resolve(path)));
    return String.format("%064x %s", new BigInteger(1, sum), path);
  }

  private static Set<String> both(String role, String version) {
    return new TreeSet<>(List.of(jar(role, version), jar("files-" + role, version)));
  }

  private static Set<String> base(String role, String version) {
    return Set.of(jar(role, version));
  }

  private Path jarOf(HadoopHome home, String part, String version) {
    return home.lib().resolve(jar(part, version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void withFilesPutsBothJarsInAndRemoveTakesBothOut(String role) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    Run dry = done(home, "--role", role, "--with-files", "--dry-run");
    says(dry, "Would copy " + jar(role, "9.8.7"));
    says(dry, "Would copy " + jar("files-" + role, "9.8.7"));
    assertEquals(before, home.content());
    Run first = done(home, "--role", role, "--with-files");
    says(first, "role " + role + " with files; ");
    assertEquals(both(role, "9.8.7"), jars(home));

    String lib = "share/hadoop/hdfs/lib/";
    assertEquals(List.of(line(home, lib + jar("files-" + role, "9.8.7"))),
        Files.readAllLines(record(home, "files-" + role)));
    Set<String> expected = new TreeSet<>(List.of(line(home, lib + jar(role, "9.8.7"))));
    if (role.equals("client")) {
      expected.add(line(home, "libexec/shellprofile.d/hdfs-ppr.sh"));
      expected.add(line(home, "libexec/hdfs-ppr.bash"));
      expected.add("folder libexec/shellprofile.d");
    }
    assertEquals(expected, new TreeSet<>(Files.readAllLines(record(home, role))));

    Map<String, String> installed = home.content();
    for (String option : List.of("--with-files", "--upgrade", "--dry-run")) {
      says(done(home, "--role", role, option), "The files are there already; nothing was changed.");
    }
    assertEquals(installed, home.content());

    List<String> deleted = done(home, "--role", role, "--remove", "--dry-run").said.lines()
        .filter(line -> line.startsWith("Would delete ")).collect(Collectors.toList());
    assertEquals("Would delete " + jarOf(home, "files-" + role, "9.8.7"), deleted.get(0));
    assertEquals(expected.stream().filter(line -> !line.startsWith("folder")).count() + 1,
        deleted.size());
    assertEquals(installed, home.content());
    done(home, "--role", role, "--remove");
    assertEquals(before, home.content());
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void filesAreAddedLaterAndTakenOutAgain(String role) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Run first = done(home, "--role", role);
    assertEquals(base(role, "9.8.7"), jars(home));
    assertFalse(Files.exists(record(home, "files-" + role)));
    Map<String, String> alone = home.content();
    says(done(home, "--role", role, "--base-only"), "The files are there already");
    done(home, "--role", role, "--with-files");
    assertEquals(both(role, "9.8.7"), jars(home));
    refused(home, List.of(jar("files-" + role, "9.8.7"), "'--base-only --upgrade' removes it"),
        "--role", role, "--base-only");
    Run last = done(home, "--role", role, "--base-only", "--upgrade");
    assertEquals(alone, home.content());
    says(last, "Deleted " + jarOf(home, "files-" + role, "9.8.7"));
    says(last, "'hdfs ppr -clear' has to show no versions and no updates");
    says(last, Map.of("datanode", "dfs.datanode.ppr.update.log.dir", "namenode", "/.hdfs-ppr",
        "client", "dfs.client.ppr.updates").get(role));
    assertFalse(first.said.contains("hdfs ppr -clear"), first::toString);
  }

  @ParameterizedTest
  @CsvSource({"--upgrade, false, false", "--upgrade, true, true", "--with-files, false, true",
      "--with-files, true, true", "--base-only, false, false", "--base-only, true, false"})
  void anUpgradeKeepsTheJarsThatWereThereUnlessAnOptionSaysMore(String option, boolean had,
      boolean has) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "client", had ? "--with-files" : "--base-only");
    HadoopHome fresh = hadoop("3.4.3");
    release = release("9.9.0");
    done(fresh, "--role", "client", has ? "--with-files" : "--base-only");
    refused(home, List.of("version 9.8.7", "--role client --upgrade"), "--role", "client",
        had ? "--with-files" : "--base-only");
    Run run = done(home, "--role", "client", "--upgrade", option);
    assertEquals(fresh.content(), home.content());
    assertEquals(had && !has, run.said.contains("hdfs ppr -clear"), run::toString);
  }

  /** A run that was killed may have left a record of a files jar that it did not put in. */
  @Test
  void aFilesJarThatIsGoneIsPutInAgainUnlessItIsNotWanted() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    Map<String, String> alone = home.content();
    done(home, "--role", "datanode", "--with-files");
    Map<String, String> installed = home.content();
    Files.delete(jarOf(home, "files-datanode", "9.8.7"));
    done(home, "--role", "datanode");
    assertEquals(installed, home.content());
    Files.delete(jarOf(home, "files-datanode", "9.8.7"));
    done(home, "--role", "datanode", "--base-only");
    assertEquals(alone, home.content());
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void bothJarsTakeThePlaceOfTheOneOf020(String role) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Map<String, String> before = home.content();
    Path older = release020();
    doneBy(older, home, "--role", role);
    HadoopHome fresh = hadoop("3.4.3");
    done(fresh, "--role", role, "--with-files");
    HadoopHome alone = hadoop("3.4.3");
    done(alone, "--role", role);

    says(done(home, "--role", role, "--upgrade", "--dry-run"),
        "Would delete " + jarOf(home, role, "0.2.0"));
    Run run = done(home, "--role", role, "--upgrade");
    says(run, "hdfs-ppr 0.2.0 had everything in one jar");
    assertEquals(fresh.content(), home.content());
    done(home, "--role", role, "--remove");
    assertEquals(before, home.content());

    doneBy(older, home, "--role", role);
    run = done(home, "--role", role, "--upgrade", "--base-only");
    says(run, "'hdfs ppr -clear' has to show no versions and no updates");
    assertEquals(alone.content(), home.content());
  }

  @ParameterizedTest
  @CsvSource({"9.8.7, none", "9.8.7, --with-files", "9.8.7, --base-only", "9.8.7, --upgrade",
      "9.9.0, none", "9.9.0, --with-files", "9.9.0, --base-only", "9.9.0, --upgrade"})
  void refusesAFilesJarOfWhichNothingIsRecorded(String version, String option) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode");
    Path jar = jarOf(home, "files-datanode", version);
    Files.writeString(jar, jar.getFileName().toString());
    List<String> words = List.of("'" + jar + "'", "delete that jar");
    if (option.equals("none")) {
      refused(home, words, "--role", "datanode");
    } else {
      refused(home, words, "--role", "datanode", option);
      refused(home, List.of("'" + jar + "'", "not put there by this script", "delete that jar"),
          "--role", "datanode", "--upgrade", option.equals("--upgrade") ? "--dry-run" : option);
    }
    refused(home, List.of("'" + jar + "'", "was not put there by this script", "by hand"),
        "--role", "datanode", "--remove");
  }

  @Test
  void refusesAFilesJarThatHasChanged() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode", "--with-files");
    Path jar = jarOf(home, "files-datanode", "9.8.7");
    Files.writeString(jar, "changed");
    refused(home, List.of("'" + jar + "'", "another build of version 9.8.7"),
        "--role", "datanode");
    refused(home, List.of("'" + jar + "'", "delete that jar"),
        "--role", "datanode", "--upgrade", "--base-only");
    refused(home, List.of("'" + jar + "'", "has been changed since"),
        "--role", "datanode", "--remove");
    release = release("9.9.0");
    refused(home, List.of("'" + jar + "'", "version 9.8.7", "delete that jar"),
        "--role", "datanode", "--upgrade");
  }

  @Test
  void refusesTwoVersions() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "client", "--with-files");
    release = release("9.9.0");
    refused(home, List.of(jar("client", "9.8.7"), "is version 9.8.7",
        "--role client --upgrade"), "--role", "datanode");
    Files.delete(jarOf(home, "client", "9.8.7"));
    refused(home, List.of(jar("files-client", "9.8.7"), "is version 9.8.7",
        "--role client --upgrade"), "--role", "datanode");
    says(done(home, "--role", "datanode", "--upgrade"), jar("files-client", "9.8.7")
        + "' has another version. Upgrade that role, too");
    // The same version at another place of the class path.
    done(home, "--role", "client", "--upgrade");
    Files.copy(jarOf(home, "files-client", "9.9.0"), home.dir.resolve("share/hadoop/common/lib")
        .resolve(jar("files-client", "9.9.0")));
    refused(home, List.of("common/lib", "another place"), "--role", "client");
    // A release that was unpacked over another one.
    Files.move(release.resolve("lib").resolve(jar("files-namenode", "9.9.0")),
        release.resolve("lib").resolve(jar("files-namenode", "9.8.7")));
    refused(hadoop("3.4.3"), List.of(jar("files-namenode", "9.8.7"), "not of version 9.9.0"),
        "--role", "namenode", "--with-files");
  }

  @Test
  void comparesBothJarsWithTheirChecksums() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    Path jar = release.resolve("lib").resolve(jar("files-namenode", "9.8.7"));
    Files.writeString(jar, "damaged");
    refused(home, List.of("'" + jar + "'", "SHA512SUMS", "unpack the release again"),
        "--role", "namenode", "--with-files");
    // Without the files jar its damage does not matter.
    done(home, "--role", "namenode");
    Files.delete(jar);
    refused(home, List.of("0 files hdfs-ppr-files-namenode-*-dropin.jar"),
        "--role", "namenode", "--with-files");
    Path sums = release.resolve("SHA512SUMS");
    Files.writeString(sums, Files.readString(sums).replace("lib/hdfs-ppr-files-client", "lib/x"));
    refused(home, List.of("no checksum of 'lib/" + jar("files-client", "9.8.7") + "'"),
        "--role", "client", "--with-files");
  }

  @Test
  void putsBothJarsWhereThePackagesOfADistributionHaveTheirs() throws Exception {
    Path root = Files.createTempDirectory(folder, "usr li b");
    HadoopHome home = HadoopHome.packaged(root, "3.3.6-amzn-2");
    Map<String, String> before = HadoopHome.content(root);
    String lib = root.resolve("hadoop-hdfs/lib").toString();
    done(home, "--role", "client", "--with-files", "--lib", lib);
    release = release("9.9.0");
    done(home, "--role", "client", "--upgrade", "--lib", lib);
    try (Stream<Path> files = Files.list(Path.of(lib))) {
      assertEquals(both("client", "9.9.0"), files.map(file -> file.getFileName().toString())
          .collect(Collectors.toSet()));
    }
    done(home, "--role", "client", "--lib", lib, "--remove");
    assertEquals(before, HadoopHome.content(root));
  }

  /** The files jar is never there without the other jar of its version. */
  @Test
  void filesComeLastAndGoFirst() throws Exception {
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", "datanode", "--with-files");
    release = release("9.9.0");
    Path notes = folder.resolve("notes");
    Run run = home.install(release, java, noting(notes), "--role", "datanode", "--upgrade");
    assertEquals(0, run.exit, run::toString);
    List<String> calls = Files.readAllLines(notes);
    List<String> order = List.of(
        "mv .*\\.hdfs-ppr-datanode\\.installed\\.new\\.\\d+ .*installed",
        "mv .*\\.hdfs-ppr-files-datanode\\.installed\\.new\\.\\d+ .*installed",
        "mv .*/hdfs-ppr-datanode-9\\.9\\.0-dropin\\.jar\\.new\\.\\d+ .*",
        "mv .*/hdfs-ppr-files-datanode-9\\.9\\.0-dropin\\.jar\\.new\\.\\d+ .*",
        "rm -f .*/hdfs-ppr-files-datanode-9\\.8\\.7-dropin\\.jar",
        "rm -f .*/hdfs-ppr-datanode-9\\.8\\.7-dropin\\.jar",
        "mv .*\\.hdfs-ppr-datanode\\.installed\\.rest\\.\\d+ .*installed",
        "mv .*\\.hdfs-ppr-files-datanode\\.installed\\.rest\\.\\d+ .*installed");
    List<Integer> places = order.stream().map(call -> at(calls, call))
        .collect(Collectors.toList());
    assertEquals(places.stream().sorted().collect(Collectors.toList()), places, calls::toString);
  }

  /** A tool fails between the two jars, or after both: everything is as it was before. */
  @ParameterizedTest
  @CsvSource({
      "0.2.0, --upgrade, mv*/.hdfs-ppr-files-client.installed.new.*",
      "0.2.0, --upgrade, cp*/hdfs-ppr-files-client-9.9.0-dropin.jar.new.*",
      "0.2.0, --upgrade, mv*/hdfs-ppr-files-client-9.9.0-dropin.jar",
      "0.2.0, --upgrade, rm*/hdfs-ppr-client-0.2.0-dropin.jar",
      "9.8.7, --upgrade, mv*/hdfs-ppr-files-client-9.9.0-dropin.jar",
      "9.8.7, --upgrade, rm*/hdfs-ppr-files-client-9.8.7-dropin.jar",
      "9.8.7, --upgrade, rm*/hdfs-ppr-client-9.8.7-dropin.jar",
      "9.8.7, --upgrade, mv*/.hdfs-ppr-files-client.installed.rest.*",
      "9.8.7, --base-only, rm*/hdfs-ppr-files-client-9.8.7-dropin.jar",
      "9.8.7, --base-only, rm*/hdfs-ppr-client-9.8.7-dropin.jar"})
  void aFailureUndoesBothJars(String from, String option, String pattern) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    if (from.equals("0.2.0")) {
      doneBy(release020(), home, "--role", "client");
    } else {
      done(home, "--role", "client", "--with-files");
    }
    Map<String, String> before = home.content();
    release = release("9.9.0");
    Run run = home.install(release, java, failingAt(pattern), "--role", "client", "--upgrade",
        option);
    assertEquals(1, run.exit, run::toString);
    says(run, "this tool fails");
    says(run, "failed, and everything is as it was before");
    assertEquals(before, home.content());
  }

  /** Each kind of run that changes both parts: what is there, and the options of the run. */
  private HadoopHome prepared(String what) throws Exception {
    HadoopHome home = hadoop("3.4.3");
    if (what.equals("one jar of 0.2.0")) {
      doneBy(folder.resolve("hdfs-ppr-0.2.0"), home, "--role", "client");
    } else {
      done(home, "--role", "client", "--with-files");
    }
    return home;
  }

  private static String[] options(String what) {
    return what.equals("both to one") ? new String[] {"--role", "client", "--upgrade",
      "--base-only"} : new String[] {"--role", "client", "--upgrade"};
  }

  /** Checks that each files jar has the other jar of its version beside it. */
  private static void noFilesAlone(HadoopHome home, String when) throws IOException {
    Set<String> jars = jars(home);
    assertFalse(jars.isEmpty(), when);
    for (String jar : jars) {
      assertTrue(jars.contains(jar.replace("-files-", "-")), () -> when + ": " + jars);
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"one jar of 0.2.0, false", "both to both, true", "both to both, false",
      "both to one, true"})
  void aSignalAtAnyStepLeavesBothAsTheyWereOrDone(String what, boolean before) throws Exception {
    release020();
    Path newer = release("9.9.0");
    HadoopHome whole = prepared(what);
    doneBy(newer, whole, options(what));
    int undone = 0;
    int done = 0;
    // Runs whose last call comes before the signal end the loop.
    for (int call = 1; done < 8; call++) {
      HadoopHome home = prepared(what);
      Map<String, String> old = home.content();
      Run run = home.install(newer, java, endingAt(call, "TERM", before), options(what));
      if (run.exit == 1) {
        assertEquals(old, home.content(), "call " + call + ": " + run);
        undone++;
        done = 0;
      } else {
        assertEquals(0, run.exit, run::toString);
        assertEquals(whole.content(), home.content(), "call " + call);
        done++;
      }
    }
    assertTrue(undone >= 20, undone + " calls were ended");
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"one jar of 0.2.0", "both to both", "both to one"})
  void afterAKillAtAnyStepALaterRunEndsBoth(String what) throws Exception {
    release020();
    Path newer = release("9.9.0");
    HadoopHome whole = prepared(what);
    doneBy(newer, whole, options(what));
    int killed = 0;
    for (int call = 1, ended = 0; ended == 0; call++) {
      HadoopHome home = prepared(what);
      Run run = home.install(newer, java, endingAt(call, "KILL", true), options(what));
      killed += run.exit == 0 ? 0 : 1;
      ended += run.exit == 0 ? 1 : 0;
      // The tool that the killed run had started still holds the lock until it ends.
      Run free = HadoopHome.run(List.of("flock", "-w", "60",
          home.dir.resolve("share/hadoop/hdfs").toString(), "true"), java, Map.of());
      assertEquals(0, free.exit, free::toString);
      noFilesAlone(home, "call " + call);
      doneBy(newer, home, options(what));
      assertEquals(jars(whole), jars(home), "call " + call);
      assertEquals(Files.exists(record(whole, "files-client")),
          Files.exists(record(home, "files-client")), "call " + call);
      doneBy(newer, home, "--role", "client", "--remove");
      assertEquals(List.of(), home.content().keySet().stream()
          .filter(path -> path.contains("hdfs-ppr")).collect(Collectors.toList()));
    }
    assertTrue(killed >= 20, killed + " calls were killed");
  }

  /**
   * The installer of 0.2.0 takes a files jar for a jar of another role: it neither deletes it nor
   * counts it among its own, and warns of it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void theInstallerOf020LeavesTheFilesJarAlone(String role) throws Exception {
    Path older = release020();
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", role, "--with-files");
    Map<String, String> installed = home.content();
    String files = Files.readString(record(home, "files-" + role));

    Run plain = home.install(older, java, "--role", role);
    assertEquals(1, plain.exit, plain::toString);
    assertEquals(installed, home.content());
    says(doneBy(older, home, "--role", role, "--upgrade"), jar("files-" + role, "9.8.7")
        + "' has another version. Upgrade that role, too");
    assertEquals(new TreeSet<>(List.of(jar(role, "0.2.0"), jar("files-" + role, "9.8.7"))),
        jars(home));
    assertEquals(files, Files.readString(record(home, "files-" + role)));
    done(home, "--role", role, "--upgrade");
    assertEquals(installed, home.content());

    doneBy(older, home, "--role", role, "--remove");
    assertEquals(Set.of(jar("files-" + role, "9.8.7")), jars(home));
    assertEquals(files, Files.readString(record(home, "files-" + role)));
    done(home, "--role", role, "--remove");
    assertEquals(Set.of(), jars(home));
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void theWayBackTo020LeavesItsOneJar(String role) throws Exception {
    Path older = release020();
    HadoopHome fresh = hadoop("3.4.3");
    doneBy(older, fresh, "--role", role);
    HadoopHome home = hadoop("3.4.3");
    done(home, "--role", role, "--with-files");
    done(home, "--role", role, "--base-only", "--upgrade");
    doneBy(older, home, "--role", role, "--upgrade");
    assertEquals(fresh.content(), home.content());
  }

  @Test
  void theNameNodesStepsNameTheCallersThatItHas() throws Exception {
    String others = "Let DataNodes, the other NameNodes, and clients";
    Run alone = done(hadoop("3.4.3"), "--role", "namenode");
    assertFalse(alone.said.contains(others), alone::toString);
    says(alone, "Let DataNodes reach each NameNode on TCP port 9878");
    says(done(hadoop("3.4.3"), "--role", "namenode", "--with-files"), others);
  }
}
