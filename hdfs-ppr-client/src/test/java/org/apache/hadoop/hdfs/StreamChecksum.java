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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;

/** Lets tests compute the checksum of a stream, as clients do when stock cannot. */
public final class StreamChecksum {
  private StreamChecksum() {
  }

  /**
   * @param in a stream of an erasure-coded file
   * @param length of how many bytes
   * @return the checksum
   */
  public static FileChecksum of(FSDataInputStream in, long length) throws IOException {
    return ((PprStripedInputStream) in.getWrappedStream()).checksum(length,
        ChecksumCombineMode.MD5MD5CRC);
  }
}
