import type { Seeded } from './seeded.ts';

/*
 * Spellings of a secret, and a search for it. The search shares no code with the bank: it reads escapes again and again, and takes each run of
 * base64 apart.
 */

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

type Ways = readonly [(text: string) => string, ...((text: string) => string)[]];

/** All ways in which a client may spell a secret of ASCII on one line, by name. None has a blank or a control character. */
export function spellingsOf(secret: string, random: Seeded): ReadonlyMap<string, string> {
  const ways: Ways = [percent, (text: string) => percent(text).toUpperCase(), (text: string) => text];
  const json: Ways = [unicode, (text: string) => (text === '\\' || text === '"' ? unicode(text) : text)];
  const mixed = (some: Ways): string => [...secret].map((each) => random.pick(some)(each)).join('');
  const around = 'user:'.slice(0, random.below(6));
  return new Map([
    ['raw', secret],
    ['form', new URLSearchParams({ x: secret }).toString().slice(2)],
    ['percent', mixed(ways)],
    ['percent twice', encodeURIComponent(mixed(ways))],
    ['json', mixed(json)],
    ['json in a form', encodeURIComponent(mixed(json))],
    ['base64', Buffer.from(`${around}${secret}${around}`).toString('base64')],
    ['base64url', Buffer.from(`${around}${secret}${around}`).toString('base64url')],
    ['base64 in a form', encodeURIComponent(Buffer.from(`${around}${secret}`).toString('base64'))],
  ]);
}

/** Whether somebody who reads this text can read the secret from it. */
export function tells(text: string, secret: string): boolean {
  let reading = text;
  for (let depth = 0; depth < 6; depth += 1) {
    if (reading.includes(secret)) return true;
    for (const [run] of reading.matchAll(/[\w+/-]{12,}/g)) {
      for (let at = 0; at < 4; at += 1) {
        if (Buffer.from(run.slice(at), 'base64').includes(secret)) return true;
      }
    }
    const next = reading
      .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      .replace(/\\(["\\/])/g, '$1');
    if (next === reading) return false;
    reading = next;
  }
  return false;
}
