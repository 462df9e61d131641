import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { listedProfiles } from '../../../api/start/profile.ts';
import { oneOf, sameSample } from '../../support/sample.ts';
import { columns, computed, deduplicate, page, pageWith, type Rule, shownOn } from './deduplicate.ts';

const text = readFileSync(page, 'utf8');
const found = shownOn(text);

describe('the table of docs/account-information/reconcile.md', () => {
  test('it is what programs with these rules have in their books; node tests/full/docs/deduplicate.ts writes it', async () => {
    expect([...found.keys()]).toEqual(Object.keys(columns));
    const made = await computed(oneOf('columns', Object.keys(columns)));
    expect([text, sameSample]).toEqual([pageWith(text, new Map([...found, ...made])), sameSample]);
  }, 60_000);

  test('profiles that are not in it are as the default: one of them in each run', async () => {
    const others = (await listedProfiles()).filter(({ id }) => !Object.values(columns).includes(id));
    const different = Map.groupBy(others, ({ quirks }) => JSON.stringify(quirks));
    const days = 18;
    const byDefault = await deduplicate('fana-sparebank', days);
    for (const [quirks, [one]] of oneOf('as the default', [...different]))
      expect({ quirks, ...(await deduplicate(one?.id ?? '', days)) }).toEqual({ quirks, ...byDefault });
  }, 60_000);
});

describe('it agrees with what users reported', () => {
  const at = (bank: string, rule: Rule) => found.get(bank)?.[rule];
  const [sr, ostlandet, bien] = ['`sparebank1-sor-norge-sr`', '`sparebank1-ostlandet`', '`bien-sparebank`'] as const;

  test('register 1, 4, 10: at SR-Bank the old rule doubles, and the new one takes two purchases of one day and amount for one', () => {
    expect(at(sr, 'its id, date and amount')).toMatch(/^\d+ doubled$/);
    expect(at(sr, "the bank's own code, date and amount")).toMatch(/^\d+ lost$/);
  });

  test('register 2: at Østlandet neither id nor text matches', () => {
    for (const rule of ['its id alone', 'date, amount and text'] as const)
      expect(at(ostlandet, rule)).toMatch(/doubled/);
  });

  test('register 11: at Bien the hash of date, amount and text loses equal twins, and ids do not', () => {
    expect(at(bien, 'date, amount and text')).toMatch(/^\d+ lost$/);
    expect(at(bien, 'its id alone')).toBe('each once');
  });
});
