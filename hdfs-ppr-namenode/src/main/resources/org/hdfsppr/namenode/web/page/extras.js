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

// Sections that a NameNode may not have: checks of the installation, verification, and conversions.

import {byId, el, put, attribute, show, keyed, facts, commands} from './dom.js';
import {count, known, fieldName, fieldValue} from './words.js';

const SEVERITY = {error: ['error', 'bad'], warning: ['warning', 'warn'], ok: ['good', 'good']};
const NODES_MAX = 12;

export function showChecks(news) {
  const findings = news.findings || [];
  show(byId('checks'), true);
  show(byId('nav-checks'), true);
  const wrong = findings.filter((finding) => finding.severity !== 'ok').length;
  put(byId('nav-checks-count'), wrong ? count(wrong) : '');
  show(byId('checks-none'), findings.length === 0);
  keyed(byId('checks-list'), findings, (finding) => `${finding.code} ${(finding.nodes || []).join(' ')}`,
      () => el('li', {class: 'finding'}, el('p', {class: 'finding-head'}, el('span'), ' ', el('span')),
          el('p'), el('p', {class: 'note'})),
      (item, finding) => {
        const [head, remedy, nodes] = item.children;
        const [word, mood] = SEVERITY[finding.severity] || [finding.severity, 'warn'];
        put(head.firstElementChild, word);
        attribute(head.firstElementChild, 'class', `tag ${mood}`);
        attribute(item, 'class', `finding ${mood}`);
        put(head.lastElementChild, finding.text || '');
        put(remedy, finding.remedy || '');
        show(remedy, finding.remedy);
        const names = finding.nodes || [];
        const more = names.length - NODES_MAX;
        put(nodes, names.length ? `On ${names.slice(0, NODES_MAX).join(', ')}${
          more > 0 ? ` and ${count(more)} more` : ''}` : '');
        show(nodes, names.length);
      });
  commands(byId('checks-commands'), wrong ? ['hdfs ppr -doctor'] : []);
}

export function hideChecks() {
  show(byId('checks'), false);
  show(byId('nav-checks'), false);
}

const plain = (value) => !known(value) || typeof value !== 'object'
    || (Array.isArray(value) && value.every((one) => !known(one) || typeof one !== 'object'));
const HIDDEN = new Set(['version', 'cycle', 'made', 'truncated']);
const ROWS_MAX = 100;

/**
 * Shows a document by its fields: plain ones as facts, objects under a heading, lists of objects as
 * tables. Units are in the names of the fields. What a later version adds is shown, too.
 */
export function showFields(box, news, depth = 3) {
  const parts = [];
  const flat = Object.entries(news).filter(([name, value]) => plain(value) && !HIDDEN.has(name));
  if (flat.length) {
    parts.push({name: '', flat});
  }
  for (const [name, value] of Object.entries(news)) {
    if (!plain(value) && !HIDDEN.has(name)) {
      parts.push({name, value});
    }
  }
  keyed(box, parts, (part) => `${part.name}/${Array.isArray(part.value)}`, (part) => {
    if (part.flat) {
      return el('dl', {class: 'facts'});
    }
    if (Array.isArray(part.value)) {
      return el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': fieldName(part.name)},
          el('table', {}, el('caption', {text: fieldName(part.name)}), el('thead', {}, el('tr'))));
    }
    return el('div', {}, el(`h${depth}`, {text: fieldName(part.name)}), el('div'));
  }, (node, part) => {
    if (part.flat) {
      facts(node, part.flat.map(([name, value]) => [fieldName(name), fieldValue(name, value)]));
    } else if (Array.isArray(part.value)) {
      showRows(node.firstElementChild, part.value.slice(0, ROWS_MAX));
    } else {
      showFields(node.lastElementChild, part.value, Math.min(6, depth + 1));
    }
  });
}

function showRows(table, rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  keyed(table.tHead.rows[0], names, (name) => name,
      (name) => el('th', {scope: 'col', text: fieldName(name)}), () => {});
  keyed(table, rows.map((row, i) => [i, row]), ([i]) => String(i), () => el('tbody', {}, el('tr')),
      (body, [, row]) => keyed(body.firstElementChild, names, (name) => name, () => el('td'),
          (cell, name) => put(cell, plain(row[name]) ? fieldValue(name, row[name])
            : Object.values(row[name]).filter(plain).join(', '))));
}

export function showVerification(news) {
  show(byId('verification'), true);
  show(byId('nav-verification'), true);
  showFields(byId('verification-body'), news);
}

export function hideVerification() {
  show(byId('verification'), false);
  show(byId('nav-verification'), false);
}

/** A job as a row: what is zero in most rows stays in the document. */
function jobRow(job) {
  return {
    job: job.job, state: job.dry_run ? `${job.state} (dry run)` : job.state, why: job.why,
    policy: job.policy, files_total: job.total_files, converted: job.converted,
    already: job.already, refused: job.refused, failed: job.failed,
    moved_bytes: job.bytes_moved, bytes_per_s: job.bytes_per_s, left_s: job.left_s,
  };
}

export function showConversions(news) {
  const has = (news.jobs || []).length > 0;
  show(byId('conversions'), has);
  show(byId('nav-conversions'), has);
  if (has) {
    showFields(byId('conversions-body'), {jobs: news.jobs.map(jobRow)});
  }
}

export function hideConversions() {
  showConversions({});
}
