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
package org.hdfsppr.it.contract;

import java.util.List;
import java.util.Optional;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** Hadoop's contract tests on a {@link StripedContract}. {@link TestStripedContracts} runs them. */
public final class StripedContracts {
  /** Those that read files. */
  static final List<Class<?>> OF_READS = List.of(Open.class, Seek.class, Unbuffer.class,
      VectoredRead.class);

  /** All others that erasure-coded files can keep. */
  static final List<Class<?>> OTHERS = List.of(Create.class, ContentSummary.class,
      Delete.class, GetFileStatus.class, Mkdir.class, Rename.class, SetTimes.class,
      RootDirectory.class);

  private StripedContracts() {
  }

  /** That of handles, where Hadoop has it in the shape in which it is compiled here. */
  static Optional<Class<?>> ofHandles() {
    try {
      return Optional.of(
          Class.forName(StripedContracts.class.getPackageName() + ".PathHandleContract"));
    } catch (ClassNotFoundException e) {
      // The build against Hadoop 3.5 leaves it out.
      return Optional.empty();
    }
  }

  /** As its name says. */
  public static class Open extends AbstractContractOpenTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Create extends AbstractContractCreateTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class ContentSummary extends AbstractContractContentSummaryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Delete extends AbstractContractDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Mkdir extends AbstractContractMkdirTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class Rename extends AbstractContractRenameTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class SetTimes extends AbstractContractSetTimesTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says. */
  public static class RootDirectory extends AbstractContractRootDirectoryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** As its name says; for direct buffers and for arrays. */
  public static class VectoredRead extends AbstractContractVectoredReadTest {
    public VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }
}
