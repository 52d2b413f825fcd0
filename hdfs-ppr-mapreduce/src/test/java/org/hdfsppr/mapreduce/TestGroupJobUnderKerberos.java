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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.SubmissionTerms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job on a cluster with Kerberos, block tokens, and privacy on all wires. Its tasks have the
 * delegation token that the job takes along, and no ticket.
 */
@Tag("slow")
@Timeout(300)
class TestGroupJobUnderKerberos {
  private static final long SEED = 20261128;
  private static final int GROUP = GroupJobCluster.GROUP;
  private static final String RESOURCE_MANAGER = "rm";
  private static final List<List<String>> GROUPS = List.of(
      List.of("/warm/f0", "/warm/f1"), List.of("/warm/below/f0", "/warm/below/f1"));

  @TempDir
  File directory;
  private Kerberos kerberos;
  private GroupJobCluster cluster;
  private UserGroupInformation user;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestGroupJobUnderKerberos.class);
    cluster = GroupJobCluster.withPrivacy(kerberos, directory, SEED);
    user = Kerberos.user();
    for (int i = 0; i < 2; i++) {
      cluster.write("/warm/f" + i, GROUP);
      cluster.write("/warm/below/f" + i, GROUP);
    }
    cluster.own(user.getShortUserName());
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  private SubmissionTerms begin() throws Exception {
    return user.doAs((PrivilegedExceptionAction<SubmissionTerms>) () -> cluster.call(
        plugin -> plugin.beginSubmission("/warm", true, OptionalInt.of(2))));
  }

  /**
   * Runs the job's mappers by the local job runner, and returns how many files they find. Hadoop's
   * shuffle wants native code where there is Kerberos, so that there are no reducers.
   */
  private long filesFound(UserGroupInformation runner, SubmissionTerms terms) throws Exception {
    return runner.doAs((PrivilegedExceptionAction<Long>) () -> {
      Job job = MapReduceGroupJob.job(cluster.clientConf(), terms);
      job.setNumReduceTasks(0);
      assertTrue(job.waitForCompletion(false), job.getStatus().toString());
      return job.getCounters().findCounter(Number.FILES).getValue();
    });
  }

  private GroupSubmission submission(List<String> group) throws IOException {
    List<Long> files = new ArrayList<>();
    for (String path : group) {
      files.add(cluster.id(path));
    }
    return new GroupSubmission("/warm", List.of(files));
  }

  /** Submits groups as reducers do. */
  private boolean isSubmitted(UserGroupInformation caller, GroupSubmission submission)
      throws Exception {
    return caller.doAs((PrivilegedExceptionAction<Boolean>) () -> cluster.call(
        plugin -> plugin.submitGroups(submission)).get(0).isTaken());
  }

  /** Returns the user as in a task of YARN: without a ticket, and with these tokens. */
  private UserGroupInformation task(Credentials credentials) {
    UserGroupInformation task =
        UserGroupInformation.createRemoteUser(user.getUserName(), AuthMethod.TOKEN);
    task.addCredentials(credentials);
    assertFalse(task.hasKerberosCredentials());
    return task;
  }

  /** Returns what the job of the user takes along to YARN. */
  private Credentials ofJob(SubmissionTerms terms) throws Exception {
    Configuration conf = cluster.clientConf();
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    conf.set(YarnConfiguration.RM_PRINCIPAL, RESOURCE_MANAGER);
    return user.doAs((PrivilegedExceptionAction<Credentials>) () ->
        MapReduceGroupJob.job(conf, terms).getCredentials());
  }

  /** The settings say nothing of YARN. */
  @Test
  void theJobRunsInTheProcessOfAUserWithATicket() throws Exception {
    assertEquals(4, filesFound(user, begin()));
  }

  @Test
  void tasksNeedNothingButTheTokenOfTheJob() throws Exception {
    SubmissionTerms terms = begin();
    Credentials credentials = ofJob(terms);
    List<Token<?>> tokens = List.copyOf(credentials.getAllTokens());
    assertEquals(1, tokens.size(), tokens.toString());
    assertEquals(DelegationTokenIdentifier.HDFS_DELEGATION_KIND, tokens.get(0).getKind());
    // YARN renews it while the job runs.
    assertEquals(RESOURCE_MANAGER, ((DelegationTokenIdentifier) tokens.get(0).decodeIdentifier())
        .getRenewer().toString());

    UserGroupInformation task = task(credentials);
    assertEquals(4, filesFound(task, terms));
    for (List<String> group : GROUPS) {
      assertTrue(isSubmitted(task, submission(group)));
    }
    cluster.awaitGroups(GROUPS.size());
    assertEquals(GROUPS.stream().map(Set::copyOf).collect(Collectors.toSet()),
        cluster.members());
  }

  @Test
  void withoutTheTokenNothingIsSubmitted() throws Exception {
    SubmissionTerms terms = begin();
    GroupSubmission both = submission(GROUPS.get(0));
    UserGroupInformation bare = task(new Credentials());
    assertThrows(IOException.class, () -> isSubmitted(bare, both));
    assertThrows(IOException.class, () -> filesFound(bare, terms));

    // A token that is cancelled is none any more.
    Credentials credentials = ofJob(terms);
    UserGroupInformation late = task(credentials);
    user.doAs((PrivilegedExceptionAction<Void>) () -> {
      for (Token<?> token : credentials.getAllTokens()) {
        token.cancel(cluster.clientConf());
      }
      return null;
    });
    assertThrows(IOException.class, () -> isSubmitted(late, both));
    assertEquals(0, cluster.status().sum(CoreDirectory.Number.QUEUED)
        + cluster.status().sum(CoreDirectory.Number.GROUPS));

    assertTrue(isSubmitted(task(ofJob(terms)), both));
    cluster.awaitGroups(1);
  }
}
