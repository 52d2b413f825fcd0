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

// The chart of the last hour: bytes rebuilt per second above, groups waiting below.

import {el, svg, put, attribute, keyed} from './dom.js';
import {rate, count, clock, known} from './words.js';

const HOUR_S = 3600;
const LEFT = 68;
const RIGHT = 10;
const TOP = 8;
const RATE_HEIGHT = 130;
const GAP = 22;
const WAIT_HEIGHT = 44;
const BOTTOM = 22;
const HEIGHT = TOP + RATE_HEIGHT + GAP + WAIT_HEIGHT + BOTTOM;

/** The next number of the form 1, 2 or 5 times a power of ten, in units of 1, Ki, Mi ... */
export function roundUp(value, base) {
  if (!(value > 0)) {
    return base === 1024 ? 1024 * 1024 : 1;
  }
  const unit = base === 1024 ? 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024))) : 1;
  const power = 10 ** Math.floor(Math.log10(value / unit));
  for (const step of [1, 2, 5, 10]) {
    if (step * power * unit >= value) {
      return Math.max(step * power * unit, base === 1024 ? unit : 1);
    }
  }
  return value;
}

const at = (list, index) => (list && known(list[index]) ? list[index] : null);

export class HourChart {
  /**
   * @param {Element} host gets the drawing
   * @param {Element} readout says in words what the chart shows, or the moment under the pointer
   * @param {Element} table has a row for each minute, as long as it is open
   * @param {Element} tableBox the details element with the table
   */
  constructor(host, readout, table, tableBox) {
    Object.assign(this, {host, readout, table, tableBox});
    this.history = null;
    this.pointed = null;
    this.build();
    new ResizeObserver(() => this.draw()).observe(host);
    tableBox.addEventListener('toggle', () => this.rows());
    host.addEventListener('pointermove', (event) => this.point(event));
    host.addEventListener('pointerleave', () => {
      this.pointed = null;
      this.draw();
    });
  }

  build() {
    this.area = svg('path', {class: 'area'});
    this.line = svg('path', {class: 'line'});
    this.waitArea = svg('path', {class: 'area second'});
    this.waitLine = svg('path', {class: 'line second'});
    this.grid = svg('g', {class: 'grid'});
    this.labels = svg('g', {class: 'labels'});
    this.cursor = svg('line', {class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM});
    this.picture = svg('svg', {role: 'img', height: HEIGHT, 'aria-label': 'The last hour'},
        this.grid, this.area, this.line, this.waitArea, this.waitLine, this.cursor, this.labels);
    this.host.append(this.picture);
  }

  show(history) {
    this.history = history;
    this.draw();
    this.rows();
  }

  /** Returns the moments of the history: index, seconds before its end, end. */
  size() {
    const {bytes_per_s: a = [], groups_queued: b = [], repairs_in_flight: c = []} = this.history;
    return Math.max((a || []).length, (b || []).length, (c || []).length);
  }

  x(index) {
    const before = (this.size() - 1 - index) * this.history.step_s;
    return LEFT + (this.width - LEFT - RIGHT) * (1 - before / HOUR_S);
  }

  point(event) {
    if (!this.history || this.size() === 0) {
      return;
    }
    const left = event.clientX - this.host.getBoundingClientRect().left;
    const share = (left - LEFT) / (this.width - LEFT - RIGHT);
    const before = Math.round((1 - share) * HOUR_S / this.history.step_s);
    this.pointed = Math.min(this.size() - 1, Math.max(0, this.size() - 1 - before));
    this.draw();
  }

  draw() {
    this.width = Math.max(240, this.host.clientWidth);
    if (!this.history) {
      return;
    }
    attribute(this.picture, 'width', this.width);
    attribute(this.picture, 'viewBox', `0 0 ${this.width} ${HEIGHT}`);
    const rates = this.history.bytes_per_s || [];
    const waits = this.history.groups_queued || [];
    const top = roundUp(Math.max(0, ...rates.filter(known)), 1024);
    const waitTop = roundUp(Math.max(0, ...waits.filter(known)), 10);
    const floor = TOP + RATE_HEIGHT;
    const waitFloor = floor + GAP + WAIT_HEIGHT;
    this.curve(rates, (v) => floor - RATE_HEIGHT * v / top, floor, this.line, this.area);
    this.curve(waits, (v) => waitFloor - WAIT_HEIGHT * v / waitTop, waitFloor, this.waitLine,
        this.waitArea);
    this.axes(top, waitTop, floor, waitFloor);
    this.words(rates, waits);
  }

  curve(values, y, floor, line, area) {
    let path = '';
    let filled = '';
    let first = null;
    const offset = this.size() - values.length;
    values.forEach((value, i) => {
      const here = known(value) ? `${this.x(i + offset).toFixed(1)} ${y(value).toFixed(1)}` : null;
      if (here === null) {
        first = null;
        return;
      }
      const begins = first === null;
      path += `${begins ? 'M' : 'L'}${here}`;
      if (begins) {
        first = this.x(i + offset).toFixed(1);
        filled += `M${first} ${floor}`;
      }
      filled += `L${here}`;
      if (i === values.length - 1 || !known(values[i + 1])) {
        filled += `L${this.x(i + offset).toFixed(1)} ${floor}Z`;
      }
    });
    attribute(line, 'd', path);
    attribute(area, 'd', filled);
  }

  axes(top, waitTop, floor, waitFloor) {
    const right = this.width - RIGHT;
    const rows = [0, 0.5, 1].map((share) => ({y: floor - RATE_HEIGHT * share,
      text: share === 0 ? '0' : rate(top * share)}));
    rows.push({y: waitFloor, text: '0'}, {y: waitFloor - WAIT_HEIGHT, text: count(waitTop)});
    keyed(this.grid, rows, (row) => String(row.y), () => svg('line'), (line, {y}) => {
      Object.entries({x1: LEFT, x2: right, y1: y, y2: y}).forEach(
          ([name, value]) => attribute(line, name, value));
    });
    const texts = rows.map(({y, text}) => ({key: `y${y}`, x: LEFT - 8, y: y + 4, text, end: 'end'}));
    texts.push({key: 'waiting', x: LEFT + 4, y: floor + GAP - 5, text: 'groups waiting', end: 'start'});
    const end = Date.parse(this.history.end);
    const every = (this.width < 480 ? 20 : 10) * 60000;
    for (let time = Math.ceil((end - HOUR_S * 1000) / every) * every; time <= end; time += every) {
      const x = right - (right - LEFT) * (end - time) / (HOUR_S * 1000);
      if (x > LEFT + 14) {
        texts.push({key: `x${time}`, x: Math.min(x, right - 14), y: HEIGHT - 5,
          text: clock(time, false, end), end: 'middle'});
      }
    }
    keyed(this.labels, texts, (text) => text.key, () => svg('text'), (node, text) => {
      attribute(node, 'x', text.x.toFixed(1));
      attribute(node, 'y', text.y);
      attribute(node, 'text-anchor', text.end);
      put(node, text.text);
    });
  }

  time(index) {
    return Date.parse(this.history.end) - (this.size() - 1 - index) * this.history.step_s * 1000;
  }

  words(rates, waits) {
    const last = rates.filter(known);
    const highest = last.length ? Math.max(...last) : null;
    const now = last.length ? last[last.length - 1] : null;
    const summary = last.length === 0 ? 'Nothing was counted yet.'
      : highest > 0 ? `Rebuilt: now ${rate(now)}, highest ${rate(highest)} at ${
        clock(this.time(this.size() - rates.length + rates.indexOf(highest)), false,
        Date.parse(this.history.end))}.`
        : 'Nothing was rebuilt in this hour.';
    attribute(this.picture, 'aria-label', `The last hour. ${summary} `
        + `Groups waiting: now ${count(at(waits, waits.length - 1))}.`);
    const i = this.pointed;
    if (i !== null && i < this.size()) {
      const x = this.x(i).toFixed(1);
      attribute(this.cursor, 'x1', x);
      attribute(this.cursor, 'x2', x);
      const from = (list) => at(list, i - (this.size() - (list || []).length));
      put(this.readout, `${clock(this.time(i), true, Date.parse(this.history.end))}: ${rate(from(rates))}, `
          + `${count(from(waits))} groups waiting, `
          + `${count(from(this.history.repairs_in_flight))} in flight`);
    } else {
      put(this.readout, summary);
    }
    this.cursor.classList.toggle('on', i !== null);
  }

  /** Fills the table, latest minute first. */
  rows() {
    if (!this.tableBox.open || !this.history) {
      return;
    }
    const minutes = new Map();
    for (let i = 0; i < this.size(); i++) {
      const minute = Math.floor(this.time(i) / 60000);
      if (!minutes.has(minute)) {
        minutes.set(minute, []);
      }
      minutes.get(minute).push(i);
    }
    const mean = (list, indices) => {
      const offset = this.size() - (list || []).length;
      const values = indices.map((i) => at(list, i - offset)).filter(known);
      return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
    };
    const {bytes_per_s: rates, groups_queued: waits, repairs_in_flight: runs} = this.history;
    keyed(this.table, [...minutes].reverse(), ([minute]) => String(minute),
        ([minute]) => el('tbody', {}, el('tr', {},
            el('th', {scope: 'row', text: clock(minute * 60000, false, Date.parse(this.history.end))}),
            el('td', {class: 'n'}), el('td', {class: 'n'}), el('td', {class: 'n'}))),
        (body, [, indices]) => {
          const cells = body.firstElementChild.children;
          const rounded = (value) => (known(value) ? count(Math.round(value)) : count(value));
          put(cells[1], rate(mean(rates, indices)));
          put(cells[2], rounded(mean(waits, indices)));
          put(cells[3], rounded(mean(runs, indices)));
        });
  }
}
