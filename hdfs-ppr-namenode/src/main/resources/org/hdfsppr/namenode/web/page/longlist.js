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

// Long lists: some at first, and a hundred more on request, so that 1,000 entries cost nothing unasked.

import {el, put, show, attribute, keyed} from './dom.js';
import {count} from './words.js';

const STEP = 100;

export class LongList {
  /**
   * @param {Element} parent gets the entries
   * @param {Element} foot says how many there are, and has the button
   * @param {string} things what the entries are called
   * @param {{key, make, update}} entry as {@code keyed} takes them
   * @param {number} first how many are shown unasked
   */
  constructor(parent, foot, things, entry, first = STEP) {
    Object.assign(this, {parent, foot, things, entry});
    this.limit = first;
    this.items = [];
    this.total = 0;
    this.note = el('span');
    this.button = el('button', {type: 'button'});
    this.button.addEventListener('click', () => {
      const from = this.limit;
      this.limit += STEP;
      this.draw();
      const next = this.parent.querySelectorAll(':scope > tbody, :scope > li')[from];
      if (this.button.hidden && next) {
        (next.querySelector('button') || this.parent).focus();
      }
    });
    foot.append(this.note, this.button);
  }

  /**
   * @param {Array} items what the NameNode lists
   * @param {?number} total how many there are, if the NameNode lists only the first ones
   */
  show(items, total) {
    this.items = items;
    this.total = Math.max(total || 0, items.length);
    this.draw();
  }

  draw() {
    const shown = this.items.slice(0, this.limit);
    keyed(this.parent, shown, this.entry.key, this.entry.make, this.entry.update);
    const rest = this.items.length - shown.length;
    const listed = this.total > this.items.length
      ? `, of which the NameNode lists ${count(this.items.length)}` : '';
    put(this.note, `${count(shown.length)} of ${count(this.total)} ${this.things} shown${listed}.`);
    put(this.button, `Show ${count(Math.min(STEP, rest))} more`);
    show(this.button, rest > 0);
    show(this.foot, rest > 0 || this.total > this.items.length);
  }
}

let nextId = 0;

/**
 * Makes a table row that opens: a body with the row and a second row for the details, which are made
 * when it is opened for the first time.
 *
 * @param {string} title the text of the button in the first cell
 * @param {Array<string>} classes the classes of the cells that follow the first
 * @param {function(Element): function(Object)} details fills the opened row, and returns what brings
 *     it up to date
 */
export function openingRow(title, classes, details) {
  const id = `details-${nextId++}`;
  const button = el('button', {type: 'button', class: 'opener', 'aria-expanded': 'false',
    'aria-controls': id}, el('span', {class: 'twist', 'aria-hidden': 'true'}),
  el('span', {class: 'id', text: title}));
  const row = el('tr', {}, el('th', {scope: 'row'}, button));
  classes.forEach((name) => row.append(el('td', {class: name || null})));
  const inside = el('td');
  const second = el('tr', {class: 'details', id, hidden: true}, inside);
  const body = el('tbody', {}, row, second);
  let refresh = null;
  let item = null;
  // On a narrow screen some columns are not there.
  const span = () => attribute(inside, 'colspan',
      [...row.children].filter((cell) => cell.offsetParent !== null).length);
  button.addEventListener('click', () => {
    const open = second.hidden;
    attribute(button, 'aria-expanded', String(open));
    show(second, open);
    if (open) {
      span();
      refresh = refresh || details(inside);
      refresh(item);
    }
  });
  body.head = row.firstElementChild;
  body.cells = [...row.children].slice(1);
  body.follow = (news) => {
    item = news;
    if (refresh && !second.hidden) {
      span();
      refresh(item);
    }
  };
  return body;
}
