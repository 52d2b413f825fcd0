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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/** Whether a version was published, and if not, why. Immutable. */
@InterfaceAudience.Private
public final class PublishAnswer {
  /** What the caller has to do next. */
  private enum Kind {
    PUBLISHED, CHANGED, REFUSED, NO_TURN, SLOW, LATER, AGAIN, BROKEN
  }

  /** The version is published. */
  public static final PublishAnswer PUBLISHED = new PublishAnswer(Kind.PUBLISHED, null, null);

  private final Kind kind;
  private final String sentence;
  private final VersionRefusal refusal;

  private PublishAnswer(Kind kind, String sentence, VersionRefusal refusal) {
    this.kind = kind;
    this.sentence = sentence;
    this.refusal = refusal;
  }

  /**
   * @param what what has changed, as a sentence without a full stop
   * @return the answer if the file has changed since the version began
   */
  public static PublishAnswer changed(String what) {
    return new PublishAnswer(Kind.CHANGED, what, null);
  }

  /**
   * @param reason the rule that forbids the version, for programs
   * @param sentence the same for people
   * @return the answer if a rule forbids the version
   */
  public static PublishAnswer refused(RefusalReason reason, String sentence) {
    return new PublishAnswer(Kind.REFUSED, null, new VersionRefusal(reason, sentence));
  }

  /**
   * @param why why the version is not published now, as a sentence without a full stop
   * @return the answer if the same order may succeed later
   */
  public static PublishAnswer later(String why) {
    return new PublishAnswer(Kind.LATER, why, null);
  }

  /**
   * @param why why the version is not published now, as a sentence without a full stop
   * @return the answer if other publishers kept this order from having its turn in time
   */
  public static PublishAnswer noTurn(String why) {
    return new PublishAnswer(Kind.NO_TURN, why, null);
  }

  /**
   * @param why why the version is not published now, as a sentence without a full stop
   * @return the answer if the namesystem's lock was held for this order, but the edit log was too
   *     slow to publish
   */
  public static PublishAnswer slow(String why) {
    return new PublishAnswer(Kind.SLOW, why, null);
  }

  /**
   * @param why why the version is not published, as a sentence without a full stop
   * @return the answer if this new version must not get the path, but one that is made anew may
   */
  public static PublishAnswer again(String why) {
    return new PublishAnswer(Kind.AGAIN, why, null);
  }

  /**
   * @param what where both versions are, as a sentence without a full stop
   * @return the answer if the old version has left the path and the new one has not got it
   */
  public static PublishAnswer broken(String what) {
    return new PublishAnswer(Kind.BROKEN, what, null);
  }

  /** @return whether the version is published */
  public boolean isPublished() {
    return kind == Kind.PUBLISHED;
  }

  private Optional<String> sentence(Kind wanted) {
    return kind == wanted ? Optional.of(sentence) : Optional.empty();
  }

  /** @return what has changed at the file; empty if the version was not stopped by a change */
  public Optional<String> change() {
    return sentence(Kind.CHANGED);
  }

  /** @return which rule forbids the version; empty if none does */
  public Optional<VersionRefusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** @return why the order has to be carried out later; empty if it need not be */
  public Optional<String> later() {
    return kind == Kind.LATER || kind == Kind.NO_TURN || kind == Kind.SLOW
        ? Optional.of(sentence) : Optional.empty();
  }

  /** @return whether this order has had its turn among the publishers */
  public boolean hadTurn() {
    return kind != Kind.NO_TURN;
  }

  /**
   * @return whether the namesystem's lock was held without a publication, because the edit log is
   *     slow
   */
  public boolean isSlow() {
    return kind == Kind.SLOW;
  }

  /** @return why the version has to be made anew; empty if it need not be */
  public Optional<String> again() {
    return sentence(Kind.AGAIN);
  }

  /** @return where both versions are, if the path has no file now; empty if it has one */
  public Optional<String> broken() {
    return sentence(Kind.BROKEN);
  }

  /** @return the answer on one line of a log, whatever its paths contain */
  @Override
  public String toString() {
    return isPublished() ? "published"
        : PeerText.oneLine(sentence == null ? refusal.toString() : sentence);
  }
}
