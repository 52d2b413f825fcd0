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
package org.hdfsppr.golden.files;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.hdfsppr.column.proto.ColumnProtos;
import org.hdfsppr.column.proto.ColumnProtos.ColumnResponseProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareRowProto;
import org.hdfsppr.golden.ProtoFiles;
import org.hdfsppr.manage.version.proto.VersionProtos;
import org.hdfsppr.manage.version.proto.VersionProtos.LinksProto;
import org.hdfsppr.manage.version.proto.VersionProtos.MakeProto;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchLogProto;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.operate.proto.ClientProtos;
import org.hdfsppr.operate.proto.ClientProtos.SpreadMoveProto;
import org.hdfsppr.operate.proto.ClientProtos.UnitTicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.update.view.proto.ViewProtos;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;

/** The proto files of versions, updates, conversions and CORE. */
@InterfaceAudience.Private
public final class FilesProtos extends ProtoFiles {
  /** For the service loader. */
  public FilesProtos() {
    file(VersionProtos.class, VersionProtos.getDescriptor());
    file(ClientProtos.class, ClientProtos.getDescriptor());
    file(ColumnProtos.class, ColumnProtos.getDescriptor());
    file(UpdateProtos.class, UpdateProtos.getDescriptor());
    file(ViewProtos.class, ViewProtos.getDescriptor());
    body("link", LinksProto.getDefaultInstance());
    body("make", MakeProto.getDefaultInstance());
    body("patch", PatchProto.getDefaultInstance());
    TicketProto ticket = TicketProto.getDefaultInstance();
    nested(PatchLogProto.getDefaultInstance(), "ticket", ticket);
    nested(UnitTicketProto.getDefaultInstance(), "ticket", ticket);
    nested(UpdateRequestProto.getDefaultInstance(), "ticket", ticket);
    nested(ViewRequestProto.getDefaultInstance(), "ticket", ticket);
    LocatedBlockProto block = LocatedBlockProto.getDefaultInstance();
    nested(SpreadMoveProto.getDefaultInstance(), "block", block);
    nested(ColumnResponseProto.getDefaultInstance(), "blocks", block);
    nested(SquareRowProto.getDefaultInstance(), "group", block);
  }
}
