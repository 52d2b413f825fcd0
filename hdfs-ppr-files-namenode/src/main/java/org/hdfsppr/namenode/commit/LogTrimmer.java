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
package org.hdfsppr.namenode.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.update.LogNodes;
import org.hdfsppr.namenode.update.TicketKeeper;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has all holders of a file's logs drop the updates that the published version of the file has. The
 * version itself says which updates these are, so a trim may be repeated at any time. Thread-safe.
 */
final class LogTrimmer {
  private static final Logger LOG = LoggerFactory.getLogger(LogTrimmer.class);
  private static final long KEEPER_MS_MAX = 60_000;

  private final TicketKeeper keeper;
  private final UpdateNamespace namespace;
  private final LogNodes nodes;
  private final CommitLogs logs;
  private final VersionEngine engine;

  LogTrimmer(TicketKeeper keeper, UpdateNamespace namespace, LogNodes nodes,
      CommitLogs logs, VersionEngine engine) {
    this.keeper = keeper;
    this.namespace = namespace;
    this.nodes = nodes;
    this.logs = logs;
    this.engine = engine;
  }

  /**
   * Trims the logs of a file up to the last commit that the version at its path has.
   *
   * @param uuid the UUID of the file; if another file is at the path, nothing is trimmed
   * @return why not all logs are trimmed; empty if they are, or if there is nothing to trim
   */
  Optional<String> trim(String path, UUID uuid) {
    try {
      UpdatableFile file = namespace.file(path, null, true);
      UpdateTag tag = file.tag == null ? null : UpdateTag.parse(file.tag, path);
      if (tag == null || !tag.file.equals(uuid) || tag.inodeId != file.inodeId) {
        LOG.info("{} was renamed or replaced; its logs keep what is committed until a client looks"
            + " at them, or the next commit", PeerText.oneLine(path));
        return Optional.empty();
      }
      if (tag.committed == 0) {
        return Optional.empty();
      }
      // Another thread may have published the version a moment ago. Its edit has to be on disk
      // before the logs drop the updates.
      namespace.persist();
      return trim(path, file, tag);
    } catch (IOException e) {
      LOG.warn("The logs of {} are not trimmed yet: {}", PeerText.oneLine(path),
          PeerText.oneLine(e.toString()));
      return Optional.of("the logs keep what is committed until the next commit: "
          + e.getMessage());
    }
  }

  private Optional<String> trim(String path, UpdatableFile file, UpdateTag tag)
      throws IOException {
    FileFacts facts = engine.facts(path,
        UserGroupInformation.getLoginUser().getShortUserName());
    Set<String> holders = new HashSet<>();
    SignedTicket any = null;
    for (FileGroup group : facts.groups) {
      UpdatableFile ofGroup = namespace.file(path, group.id, true);
      if (ofGroup.group == null || ofGroup.inodeId != file.inodeId) {
        throw new IOException(path + " has changed meanwhile");
      }
      holders.addAll(keeper.call(() -> keeper.holders(ofGroup), KEEPER_MS_MAX));
      for (UpdateTicket ticket : any == null
          ? keeper.call(() -> keeper.latest(ofGroup), KEEPER_MS_MAX) : List.<UpdateTicket>of()) {
        any = namespace.sign(ticket, AccessMode.COPY);
      }
    }
    List<String> left = new ArrayList<>();
    for (String uuid : holders) {
      Optional<NodeRef> node = nodes.live(uuid);
      try {
        if (node.isEmpty() || any == null) {
          throw new IOException("it is silent");
        }
        logs.trim(any, node.get(), tag.committed);
      } catch (IOException e) {
        LOG.info("DataNode {} keeps updates of {} that are in commit {}: {}", uuid,
            PeerText.oneLine(path), tag.committed, PeerText.oneLine(e.toString()));
        left.add(node.map(NodeRef::toString).orElse(uuid));
      }
    }
    if (left.isEmpty()) {
      keeper.call(() -> {
        keeper.trimmed(tag);
        return null;
      }, KEEPER_MS_MAX);
      return Optional.empty();
    }
    return Optional.of("the logs of " + left + " keep what is committed until the next commit");
  }
}
