import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { withoutEscapes } from '../../scripts/drift/escapes.ts';
import { rewrittenEntry } from '../../scripts/drift/places.ts';
import { checkPrivacy } from '../../scripts/drift/privacy.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { lengthIn, partsOf } from '../../scripts/drift/text-parts.ts';
import { tells } from '../lab/secret-spellings.ts';
import { entryOf } from './entry-of.ts';
import { type Plant, plants } from './plants.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbank-plants-'));
afterAll(() => rmSync(folder, { recursive: true }));

function check(entry: object): ReturnType<typeof checkPrivacy> {
  const file = join(folder, 'one.har');
  writeFileSync(file, JSON.stringify({ log: { entries: [entry] } }));
  return checkPrivacy(file);
}

/** Where a plant stands: in a member, a header, the address, a cookie or a comment. */
const places: readonly ((spelled: string) => object)[] = [
  (spelled) => entryOf({ note: spelled }),
  (spelled) => entryOf({ accounts: [{ remittanceInformationUnstructured: spelled }] }),
  (spelled) => entryOf({}, [{ name: 'X-Customer', value: spelled }]),
  (spelled) => entryOf({}, [], `https://bank.example/v1/accounts?customer=${encodeURIComponent(spelled)}`),
  (spelled) => ({ ...entryOf({}), comment: spelled }),
];

test('DW10: a text of any length is read', () => {
  expect(withoutEscapes('31'.repeat(200_000))).toHaveLength(200_000);
  expect(partsOf(`${'a '.repeat(100_000)}Betalt: `)).toHaveLength(200_002);
  expect(lengthIn('1  2 '.repeat(100_000))).toBe(1);
});

describe('DW10: plants of personal data', () => {
  test('there are more than 200', () => expect(plants.length).toBeGreaterThan(200));

  test('each is found by its name, or counted where nobody can judge it; of none is said that there is nothing', () => {
    const missed = plants.flatMap(({ name, what, spelled, isJudged }, at) => {
      const { found, doubts } = check(places[at % places.length]?.(spelled) ?? {});
      const isNamed = found.some((one) => what.test(one.what));
      return isNamed || (!isJudged && found.length + doubts.length > 0) ? [] : [name];
    });
    expect(missed).toEqual([]);
  });

  // With these keys, single digits and digits of an id together once were a card or a company.
  test.each(['k4a', 'k6a', 'k4b'])('nothing is left in a recording, and nothing is found in it: key %s', (key) => {
    const left = plants.flatMap(({ name, secret, spelled }, at) => {
      // A comment is another program's: a recording of ours has none.
      const shown = rewrittenEntry((places[at % 4]?.(spelled) ?? {}) as never, new StandIns(new Set(), key).of);
      const text = JSON.stringify(shown);
      const { found } = check(shown);
      return tells(text, secret) || text.includes(spelled) || found.length > 0 ? [`${name}: ${text}`] : [];
    });
    expect(left).toEqual([]);
  });

  test('a value has one stand-in in all spellings that keep its digits', () => {
    const { of } = new StandIns();
    const others = plants.flatMap(({ name, secret, spelled, plain }: Plant) => {
      if (plain === undefined) return [];
      const digits = plain(of('text', spelled))
        .normalize('NFKC')
        .replaceAll(/[^\p{Nd}]/gu, '');
      return digits === of('text', secret) ? [] : [`${name}: ${digits}, not ${of('text', secret)}`];
    });
    expect(others).toEqual([]);
    expect(plants.filter(({ plain }) => plain !== undefined).length).toBeGreaterThan(100);
  });

  test.each([
    ['Ola%20Nordmann', /^[QWXZ][qwxz]{2}%20[QWXZ][qwxz]{7}$/],
    ['Ola%2520Nordmann', /^[QWXZ][qwxz]{2}%2520[QWXZ][qwxz]{7}$/],
    ['Ola\\u0020Nordmann', /^[QWXZ][qwxz]{2}\\u0020[QWXZ][qwxz]{7}$/],
    ['Ola&#32;Nordmann', /^[QWXZ][qwxz]{2}&#32;[QWXZ][qwxz]{7}$/],
    ['S%C3%B8ren', /^[QWXZ]%C3%B8[qwxz]{3}$/],
    ['100%', /^\d{3}%$/],
  ])('escapes stay escapes: %s', (spelled, form) => {
    const { of } = new StandIns();
    expect(of('text', spelled)).toMatch(form);
    expect(of('text', 'Ola%20Nordmann').replace('%20', ' ')).toBe(of('text', 'Ola Nordmann'));
  });
});
