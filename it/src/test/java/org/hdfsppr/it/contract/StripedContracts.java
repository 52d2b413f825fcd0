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

/**
 * Hadoop's contract tests with a {@link StripedContract}. {@link TestStripedContracts} runs them.
 */
public final class StripedContracts {
  /** The contract tests that read files. */
  static final List<Class<?>> OF_READS = List.of(Open.class, Seek.class, Unbuffer.class,
      VectoredRead.class);

  /** All other contract tests that erasure-coded files can pass. */
  static final List<Class<?>> OTHERS = List.of(Create.class, ContentSummary.class,
      Delete.class, GetFileStatus.class, Mkdir.class, Rename.class, SetTimes.class,
      RootDirectory.class);

  private StripedContracts() {
  }

  /** Returns the contract test of path handles; empty if the build has left it out. */
  static Optional<Class<?>> ofHandles() {
    try {
      return Optional.of(
          Class.forName(StripedContracts.class.getPackageName() + ".PathHandleContract"));
    } catch (ClassNotFoundException e) {
      // The build against Hadoop 3.5 leaves the class out.
      return Optional.empty();
    }
  }

  /** Hadoop's contract test of open(). */
  public static class Open extends AbstractContractOpenTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of seek(). */
  public static class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of unbuffer(). */
  public static class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of create(). */
  public static class Create extends AbstractContractCreateTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of getContentSummary(). */
  public static class ContentSummary extends AbstractContractContentSummaryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of delete(). */
  public static class Delete extends AbstractContractDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of getFileStatus(). */
  public static class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of mkdirs(). */
  public static class Mkdir extends AbstractContractMkdirTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of rename(). */
  public static class Rename extends AbstractContractRenameTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of setTimes(). */
  public static class SetTimes extends AbstractContractSetTimesTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of the root directory. */
  public static class RootDirectory extends AbstractContractRootDirectoryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new StripedContract(conf);
    }
  }

  /** Hadoop's contract test of readVectored(), for direct buffers and for arrays. */
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
