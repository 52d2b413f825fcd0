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

// The page of repairs. The status is read each second, lists only while their section is in sight.
// A failure is said in words; the last data stay, in grey, until the NameNode answers again.

import {byId, el, put, attribute, show, say} from './dom.js';
import {clock, millis} from './words.js';
import {Feed} from './feed.js';
import {HourChart} from './chart.js';
import {NodeMap} from './heat.js';
import {showHealth, showTiles, showIdentity, showLosses, showQueue, stateName} from './health.js';
import {showRepairs, showGroups, showDoubts, askForm, setNow} from './lists.js';
import {
  showChecks, hideChecks, showVerification, hideVerification, showConversions, hideConversions,
} from './extras.js';

const STATUS_MS = 1000;
const LIST_MS = 2000;
const HISTORY_MS = 5000;
const SELDOM_MS = 30000;
const SPOKEN_PAUSE_MS = 5000;

const chart = new HourChart(byId('chart'), byId('chart-readout'), byId('chart-table'),
    byId('chart-table-box'));
const map = new NodeMap({heat: byId('heat'), legend: byId('legend'), measure: byId('measure'),
  find: byId('find-node'), hint: byId('nodes-hint'), none: byId('nodes-none'), detail: byId('node-detail'),
  table: byId('nodes-table'), tableBox: byId('nodes-table-box'), more: byId('nodes-more')});

// ---- the connection

const connection = {since: null, answered: null, software: null};

/** Says in words why there is no status. */
function problemWords({status, message}) {
  const said = message ? ` It says: ${message.replace(/[.]?$/, '.')}` : '';
  switch (status) {
    case 0: return `The NameNode does not answer (${message}).`;
    case 401: return 'The NameNode asks who reads this page, and the browser has no ticket to show. '
        + 'Get a Kerberos ticket (kinit), or log in again.';
    case 403: return `The NameNode does not let this user read its status.${said}`;
    case 404: return 'The NameNode is starting: its web server answers, and hdfs-ppr is not there yet.';
    case 503: return `hdfs-ppr is off on this NameNode: the plugin has stopped.${said}`;
    case 200: return `The page does not understand the NameNode: ${message}.`;
    default: return `The NameNode answers with an error, status ${status}.${said}`;
  }
}

/** Speaks if the words have changed. Numbers do not count: they change each second. */
const spoken = {words: '', at: 0, timer: null};
function speak(sentence) {
  const words = sentence.replace(/[\d.,:]+/g, '#');
  if (words === spoken.words) {
    return;
  }
  spoken.words = words;
  clearTimeout(spoken.timer);
  spoken.timer = setTimeout(() => {
    spoken.at = Date.now();
    say(sentence);
  }, Math.max(0, spoken.at + SPOKEN_PAUSE_MS - Date.now()));
}

function failed(refused) {
  const begins = connection.since === null;
  connection.since = connection.since ?? Date.now();
  const words = problemWords(refused);
  const asOf = connection.answered === null ? ''
    : ` What you see is of ${clock(connection.answered)}.`;
  put(byId('problem'), `${words} So it is since ${clock(connection.since)}.${asOf} The page tries again by itself.`);
  show(byId('problem'), true);
  document.documentElement.classList.add('stale');
  document.documentElement.dataset.problem = refused.status;
  put(byId('live-text'), `no data since ${clock(connection.since)}`);
  if (connection.answered === null) {
    attribute(byId('health-box'), 'data-state', 'connecting');
    put(byId('health-state'), refused.status === 404 ? 'Starting' : refused.status === 503 ? 'Off' : 'No data');
    put(byId('health-headline'), words);
    document.title = 'No data · hdfs-ppr';
  } else {
    document.title = `No data since ${clock(connection.since, false)} · hdfs-ppr`;
  }
  speak(words);
  if (begins) {
    wantLists();
  }
}

function answered() {
  const begins = connection.since !== null || connection.answered === null;
  connection.since = null;
  connection.answered = Date.now();
  show(byId('problem'), false);
  document.documentElement.classList.remove('stale');
  delete document.documentElement.dataset.problem;
  put(byId('live-text'), `live, ${clock(connection.answered)}`);
  if (begins) {
    wantLists();
  }
}

let shown = null;

const status = new Feed('v1/status', STATUS_MS, {
  changed(news) {
    shown = news;
    setNow(millis(news.made));
    showHealth(news);
    showTiles(news);
    showIdentity(news);
    showLosses(news);
    showQueue(news);
    connection.software = connection.software ?? news.software;
    show(byId('newer'), news.software && news.software !== connection.software);
    answered();
    speak(`${stateName(news)}. ${news.headline || ''}`);
  },
  same() {
    answered();
    showHealth(shown);
  },
  failed,
});

// ---- lists, while their section is in sight

const lists = [];

function list(path, everyMs, section, hears, optional = false) {
  const note = el('p', {class: 'problem quiet', hidden: true});
  section.append(note);
  const feed = new Feed(path, everyMs, {
    changed(news) {
      hears.changed(news);
      show(note, false);
    },
    same: () => show(note, false),
    failed(refused) {
      if (hears.failed) {
        hears.failed(refused);
      }
      put(note, `This section could not be read (${refused.message || `status ${refused.status}`}). `
          + 'The page tries again by itself.');
      show(note, connection.since === null);
    },
  });
  const entry = {feed, inSight: false, optional};
  lists.push(entry);
  new IntersectionObserver((seen) => {
    entry.inSight = seen[seen.length - 1].isIntersecting;
    wantLists();
  }, {rootMargin: '200px'}).observe(section);
}

/** Sections that may be absent are asked for even while hidden, but seldom. */
function wantLists() {
  const alive = connection.since === null && connection.answered !== null && !document.hidden;
  for (const {feed, inSight, optional} of lists) {
    feed.want(alive && (inSight || optional));
  }
}

list('v1/history', HISTORY_MS, byId('now'), {changed: (news) => chart.show(news)});
list('v1/repairs', LIST_MS, byId('repairs'), {changed: showRepairs});
list('v1/groups', LIST_MS, byId('queue'), {changed: showGroups});
list('v1/nodes', LIST_MS, byId('nodes'), {changed: (news) => map.show(news.nodes || [])});
list('v1/doubts', LIST_MS, byId('doubts'), {changed: showDoubts});
list('v1/doctor', SELDOM_MS, byId('checks'), {
  changed: showChecks,
  failed: (refused) => refused.status === 404 && hideChecks(),
}, true);
list('v1/verification', SELDOM_MS, byId('verification'), {
  changed: showVerification,
  failed: (refused) => refused.status === 404 && hideVerification(),
}, true);
list('v1/conversions', LIST_MS, byId('conversions'), {
  changed: showConversions,
  failed: (refused) => refused.status === 404 && hideConversions(),
}, true);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    status.now();
  }
  wantLists();
});
askForm();
status.want(true);
