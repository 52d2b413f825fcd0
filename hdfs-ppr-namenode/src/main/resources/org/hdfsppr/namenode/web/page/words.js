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

// Numbers and times in words.

export const UNKNOWN = '–';

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// A formatter and a collator cost milliseconds to make, and the page needs them thousands of times.
const COUNTS = new Intl.NumberFormat('en-US');
const NAMES = new Intl.Collator('en', {numeric: true});

export const known = (value) => value !== null && value !== undefined;

function scaled(value) {
  let rest = Math.abs(value);
  let size = 0;
  while (rest >= 1000 && size < SIZES.length - 1) {
    rest /= 1024;
    size++;
  }
  const digits = size === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2;
  return {number: rest.toFixed(digits), size};
}

export function bytes(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const {number, size} = scaled(value);
  return `${number} ${SIZES[size]}`;
}

export const rate = (value) => (known(value) ? `${bytes(value)}/s` : UNKNOWN);

/** A size in at most five characters, for a cell: 1.2G */
export function shortBytes(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  if (value === 0) {
    return '0';
  }
  const {number, size} = scaled(value);
  const short = Number(number) >= 10 ? Number(number).toFixed(0) : Number(number).toFixed(1);
  return `${short}${SIZES[size].charAt(0)}`;
}

export function count(value) {
  return known(value) ? COUNTS.format(Number(value)) : UNKNOWN;
}

export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Compares two names for sorting: node2 comes before node10. */
export const byName = (a, b) => NAMES.compare(a, b);

const two = (number) => String(number).padStart(2, '0');

/** A duration in words: 0.25 s, 1.5 s, 45 s, 4 min 30 s, 2 h 05 min, 3 d 4 h */
export function duration(seconds) {
  if (!known(seconds)) {
    return UNKNOWN;
  }
  if (seconds < 9.95) {
    return `${Number(Math.max(0, seconds).toFixed(seconds < 0.995 ? 2 : 1))} s`;
  }
  const s = Math.round(seconds);
  if (s < 100) {
    return `${s} s`;
  }
  const m = Math.floor(s / 60);
  if (m < 60) {
    return `${m} min ${two(s % 60)} s`;
  }
  const h = Math.floor(m / 60);
  if (h < 48) {
    return `${h} h ${two(m % 60)} min`;
  }
  return `${Math.floor(h / 24)} d ${h % 24} h`;
}

/** Seconds in at most five characters, for a cell: 0, 0.4s, 12s, 4m, 2h */
export function shortSeconds(seconds) {
  if (!known(seconds)) {
    return UNKNOWN;
  }
  if (seconds < 0.05) {
    return '0';
  }
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)}s`;
  }
  if (seconds < 100) {
    return `${Math.round(seconds)}s`;
  }
  return seconds < 6000 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3600)}h`;
}

const DAY_MS = 20 * 3600 * 1000;

/** A time of day in the viewer's zone, with the date if it is not of today. */
export function clock(millis, withSeconds = true, now = Date.now()) {
  if (!Number.isFinite(millis)) {
    return UNKNOWN;
  }
  const date = new Date(millis);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
      + (withSeconds ? `:${two(date.getSeconds())}` : '');
  if (Math.abs(now - millis) < DAY_MS) {
    return time;
  }
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

export const millis = (iso) => (iso ? Date.parse(iso) : NaN);

/** host:9866 without the port and the domain, if what is left tells the nodes apart. */
export function shortNode(node) {
  const host = String(node).replace(/:\d+$/, '');
  return /^[\d.]+$|:/.test(host) ? host : host.split('.')[0];
}

/** A name of a field in words: last_pass_bytes -> last pass. Units go with the value. */
export function fieldName(name) {
  const own = {bytes: 'size', bytes_per_s: 'rate', bytes_per_s_per_node: 'rate per node', eta_s: 'time left'};
  const words = (own[name] || name.replace(/(_bytes_per_s|_per_s|_bytes|_ms|_s|_percent)$/, ''))
      .replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of a field in words, by the unit in the field's name. */
export function fieldValue(name, value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value === 'number') {
    if (/bytes_per_s(_per_node)?$/.test(name)) {
      return rate(value);
    }
    if (/bytes$/.test(name)) {
      return bytes(value);
    }
    if (/_ms$/.test(name)) {
      return duration(value / 1000);
    }
    if (/_s$/.test(name)) {
      return duration(value);
    }
    if (/_percent$/.test(name)) {
      return `${value} %`;
    }
    return /(^|_)id$/.test(name) ? String(value) : count(value);
  }
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
    return clock(millis(value));
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}
