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
package org.hdfsppr.operate;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionRequestProto;
import org.hdfsppr.wire.MalformedRequestException;

/** Converts a {@link ConversionRequest} into a message and back. */
@InterfaceAudience.Private
final class ConversionRequestCodec {
  private ConversionRequestCodec() {
  }

  static SubmitConversionRequestProto toProto(ConversionRequest request) {
    return SubmitConversionRequestProto.newBuilder()
        .setJobId(request.id)
        .setOptions(ConversionOptionsCodec.toProto(request.options))
        .addAllPaths(request.paths)
        .build();
  }

  /** @throws MalformedRequestException naming the field that is wrong */
  static ConversionRequest parse(SubmitConversionRequestProto proto)
      throws MalformedRequestException {
    try {
      if (proto.getPathsCount() > ConversionRequest.PATHS_MAX) {
        throw new IllegalArgumentException(proto.getPathsCount() + " paths, at most "
            + ConversionRequest.PATHS_MAX + " are allowed");
      }
      List<String> paths = new ArrayList<>();
      for (String path : proto.getPathsList()) {
        paths.add(path(path));
      }
      return new ConversionRequest(proto.getJobId(),
          ConversionOptionsCodec.parse(proto.getOptions()), paths);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The job is refused: " + e.getMessage(), e);
    }
  }

  private static String path(String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a path is not absolute");
    }
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a path has a character that no name in HDFS has");
    }
    return path;
  }
}
