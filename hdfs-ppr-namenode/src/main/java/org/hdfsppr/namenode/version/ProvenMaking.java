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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.BitSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;

/**
 * The making of a group of a new version, together with the {@link OldProof} that the old group was
 * right. Used by one thread.
 */
@InterfaceAudience.Private
final class ProvenMaking implements GroupWork {
  private final GroupMaking making;
  private final VersionRecipe recipe;
  private final OldProof proof;

  private ProvenMaking(GroupMaking making, VersionRecipe recipe, OldProof proof) {
    this.making = making;
    this.recipe = recipe;
    this.proof = proof;
  }

  /** Makes a group with a proof, if its recipe has one. */
  static GroupWork of(VersionContext context, VersionRecipe recipe, FileGroup made) {
    GroupMaking making = new GroupMaking(context, recipe, made);
    return recipe.proof().<GroupWork>map(proof -> new ProvenMaking(making, recipe, proof))
        .orElse(making);
  }

  @Override
  public void begin() throws VersionStopException {
    making.begin();
    // No making begins before the next look.
    proof.begin(making.digests());
  }

  @Override
  public void advance(BitSet reported) throws VersionStopException, IOException {
    proof.advance();
    making.advance(reported);
    proof.checkAllMayCome(making.digests());
  }

  @Override
  public boolean isDone(BitSet reported) {
    return making.isDone(reported) && proof.isDone();
  }

  @Override
  public int unitsForCompletion() {
    return making.unitsForCompletion();
  }

  @Override
  public long durableInMs() {
    return making.durableInMs();
  }

  @Override
  public VersionBytes bytes() {
    return making.bytes();
  }

  @Override
  public boolean hasDigests() {
    return making.hasDigests();
  }

  @Override
  public BitSet made() {
    return making.made();
  }

  @Override
  public GroupDigests digests() {
    return making.digests();
  }

  @Override
  public void checkOld() throws VersionStopException {
    if (proof.isUsed() && !proof.agree(making.digests())) {
      throw recipe.contradiction("by the digests of all of them");
    }
  }

  @Override
  public void checkedByReading(LinearCode code) throws VersionStopException {
    if (proof.isUsed() && !making.digests().agree(code)) {
      // The proof is about the bytes that these digests are of.
      throw new VersionStopException(VersionEnd.FAILED, "the digests of units of " + recipe.what()
          + " contradict each other, and the units, read once more, do not");
    }
  }

  @Override
  public void cancel() {
    proof.cancel();
    making.cancel();
  }
}
