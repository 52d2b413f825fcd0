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

// Reads documents of the NameNode again and again. Addresses are relative to the page, so that a
// proxy may put a path in front.

const ANSWER_MS = 10000;
const PAUSE_MAX_MS = 10000;
const HIDDEN_MS = 15000;

/** An answer that is no document. Its status is 0 if there was no answer at all. */
export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Reads a document once.
 *
 * @param {string} path relative to the page
 * @param {?string} etag of the version that the caller has
 * @return {Promise<{etag: ?string, document: ?Object}>} no document if it has not changed
 * @throws {Refused} if there is no document
 */
export async function read(path, etag) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), ANSWER_MS);
  try {
    let answer;
    try {
      answer = await fetch(path, {
        headers: etag ? {'If-None-Match': etag} : {},
        credentials: 'same-origin',
        cache: 'no-store',
        signal: abort.signal,
      });
    } catch (e) {
      throw new Refused(0, abort.signal.aborted ? `no answer within ${ANSWER_MS / 1000} s`
        : 'no connection');
    }
    if (answer.status === 304) {
      return {etag, document: null};
    }
    if (!answer.ok) {
      const text = (answer.headers.get('content-type') || '').startsWith('text/plain')
        ? (await answer.text()).trim().slice(0, 300) : '';
      throw new Refused(answer.status, text);
    }
    try {
      return {etag: answer.headers.get('etag'), document: await answer.json()};
    } catch (e) {
      throw new Refused(answer.status, 'the answer is not a document of hdfs-ppr');
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads one document again and again while it is wanted. There is never more than one request under
 * way. After a failure the pauses double, up to ten seconds; behind another tab they are long.
 */
export class Feed {
  /**
   * @param {string} path relative to the page
   * @param {number} everyMs the pause between two reads
   * @param {{changed: function(Object), same: ?function(), failed: ?function(Refused)}} hears
   */
  constructor(path, everyMs, hears) {
    this.path = path;
    this.everyMs = everyMs;
    this.hears = hears;
    this.wanted = false;
    this.busy = false;
    this.etag = null;
    this.failures = 0;
    this.timer = null;
  }

  /** Begins or ends the reading. */
  want(wanted) {
    if (this.wanted === wanted) {
      return;
    }
    this.wanted = wanted;
    if (wanted) {
      this.now();
    } else {
      clearTimeout(this.timer);
    }
  }

  /** Reads now, unless a read is under way or the document is not wanted. */
  now() {
    clearTimeout(this.timer);
    if (this.wanted && !this.busy) {
      this.turn();
    }
  }

  async turn() {
    this.busy = true;
    try {
      const {etag, document: news} = await read(this.path, this.etag);
      this.failures = 0;
      if (news) {
        // A document that could not be shown is read and shown again, not taken for known.
        this.etag = null;
        this.hears.changed(news);
        this.etag = etag;
      } else if (this.hears.same) {
        this.hears.same();
      }
    } catch (e) {
      if (!(e instanceof Refused)) {
        console.error(`hdfs-ppr cannot show ${this.path}`, e);
      }
      this.failures++;
      if (this.hears.failed) {
        this.hears.failed(e instanceof Refused ? e
          : new Refused(200, `the page cannot show what it got: ${e.message}`));
      }
    } finally {
      this.busy = false;
      if (this.wanted) {
        this.timer = setTimeout(() => this.now(), this.pauseMs());
      }
    }
  }

  pauseMs() {
    const backedOff = this.failures === 0 ? this.everyMs
      : Math.max(this.everyMs, Math.min(PAUSE_MAX_MS, 1000 * 2 ** Math.min(this.failures - 1, 10)));
    return document.hidden ? Math.max(HIDDEN_MS, backedOff) : backedOff;
  }
}
