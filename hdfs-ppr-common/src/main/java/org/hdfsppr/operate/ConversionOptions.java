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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a conversion does, and how. Immutable. */
@InterfaceAudience.Private
public final class ConversionOptions {
  /** The value of a number that the caller leaves to the NameNode. */
  public static final long UNSET = -1;
  /** The longest time that a caller may set, ms: a year. */
  public static final long TIME_MS_MAX = 366L * 24 * 3_600_000;
  /** The most files at a time. More would only wait for the NameNode's own limits. */
  public static final int CONCURRENCY_MAX = 1_024;
  /** The lowest rate, bytes/s: a slower job would not end. */
  public static final long BYTES_PER_SECOND_MIN = 64 << 10;
  /** The highest rate, bytes/s, far above what a cluster can do. */
  public static final long BYTES_PER_SECOND_MAX = 1L << 50;

  /** The name of the policy that the files get */
  public final String policy;
  /** Whether nothing is changed, and the job only counts what would be done */
  public final boolean dryRun;
  /** Whether directories keep their policies */
  public final boolean filesOnly;
  private final boolean force;
  /** Whether every byte of a new version is checked before it is published */
  public final boolean fullCheck;
  /** For how long a file must not have been used, ms, or {@link #UNSET} */
  public final long idleMs;
  /** How long the old version of a file is kept, ms, or {@link #UNSET} */
  public final long graceMs;
  /** How many files are converted at a time, or {@link #UNSET} */
  public final int concurrency;
  /** How many bytes the job may move, bytes/s; {@link #UNSET} for no limit of its own */
  public final long bytesPerSecond;

  private ConversionOptions(Builder builder) {
    policy = Objects.requireNonNull(builder.policy, "policy");
    dryRun = builder.dryRun;
    filesOnly = builder.filesOnly;
    force = builder.force;
    fullCheck = builder.fullCheck;
    idleMs = builder.idleMs;
    graceMs = builder.graceMs;
    concurrency = builder.concurrency;
    bytesPerSecond = builder.bytesPerSecond;
  }

  /**
   * Begins options: those of a conversion, with all numbers left to the NameNode.
   *
   * @param policy the name of the policy that the files get
   * @return a builder
   */
  public static Builder of(String policy) {
    return new Builder(policy);
  }

  /** @return a builder with these options */
  public Builder toBuilder() {
    return toBuilder(policy);
  }

  /**
   * @param name the name of a policy
   * @return these options with that policy
   */
  public ConversionOptions withPolicy(String name) {
    return toBuilder(name).build();
  }

  private Builder toBuilder(String name) {
    return new Builder(name).dryRun(dryRun).filesOnly(filesOnly).force(force)
        .fullCheck(fullCheck).idleMs(idleMs).graceMs(graceMs).concurrency(concurrency)
        .bytesPerSecond(bytesPerSecond);
  }

  /** @return whether files are converted although they may be in use */
  public boolean isForced() {
    return force;
  }

  /**
   * Says whether a conversion with these options does what a caller wants.
   *
   * @param wanted what a caller wants; a caller may leave numbers to the NameNode
   * @return whether the policy, all flags, and all numbers that the caller has set are the same
   */
  public boolean doesSameAs(ConversionOptions wanted) {
    return policy.equals(wanted.policy) && dryRun == wanted.dryRun && filesOnly == wanted.filesOnly
        && force == wanted.force && fullCheck == wanted.fullCheck
        && suits(idleMs, wanted.idleMs) && suits(graceMs, wanted.graceMs)
        && suits(concurrency, wanted.concurrency) && suits(bytesPerSecond, wanted.bytesPerSecond);
  }

  private static boolean suits(long is, long wanted) {
    return wanted == UNSET || is == wanted;
  }

  @Override
  public String toString() {
    return (dryRun ? "dry run of " : "") + policy + (force ? ", forced" : "");
  }

  /** Collects options. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String policy;
    private boolean dryRun;
    private boolean filesOnly;
    private boolean force;
    private boolean fullCheck = true;
    private long idleMs = UNSET;
    private long graceMs = UNSET;
    private int concurrency = (int) UNSET;
    private long bytesPerSecond = UNSET;

    private Builder(String policy) {
      this.policy = policy;
    }

    /**
     * @param is whether nothing is changed
     * @return this builder
     */
    public Builder dryRun(boolean is) {
      dryRun = is;
      return this;
    }

    /**
     * @param is whether directories keep their policies
     * @return this builder
     */
    public Builder filesOnly(boolean is) {
      filesOnly = is;
      return this;
    }

    /**
     * @param is whether files are converted although they may be in use
     * @return this builder
     */
    public Builder force(boolean is) {
      force = is;
      return this;
    }

    /**
     * @param is whether every byte of a new version is checked
     * @return this builder
     */
    public Builder fullCheck(boolean is) {
      fullCheck = is;
      return this;
    }

    /**
     * @param ms for how long a file must not have been used, ms, or {@link #UNSET}
     * @return this builder
     */
    public Builder idleMs(long ms) {
      idleMs = ms;
      return this;
    }

    /**
     * @param ms how long the old version is kept, ms, or {@link #UNSET}
     * @return this builder
     */
    public Builder graceMs(long ms) {
      graceMs = ms;
      return this;
    }

    /**
     * @param files how many files are converted at a time, or {@link #UNSET}
     * @return this builder
     */
    public Builder concurrency(int files) {
      concurrency = files;
      return this;
    }

    /**
     * @param rate how many bytes the job may move, bytes/s, or {@link #UNSET}
     * @return this builder
     */
    public Builder bytesPerSecond(long rate) {
      bytesPerSecond = rate;
      return this;
    }

    /** @return the options */
    public ConversionOptions build() {
      return new ConversionOptions(this);
    }
  }
}
