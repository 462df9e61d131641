import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { noQuirks } from '../../../engine/bank/rules/quirk.ts';
import { listedProfile, listedProfiles, profileIds, quirksOf } from '../../../api/start/profile.ts';
import { loadKnownState } from '../../../api/start/fixtures.ts';
import { type Deduplicated, deduplicate, type Rule, rules } from './deduplicate.ts';
import { markdownLines } from '../../support/markdown.ts';

const twins = 'bien-sparebank with --fixtures twins';
const found = new Map<string, Readonly<Record<Rule, Deduplicated>>>();
beforeAll(async () => {
  const byDefault = await deduplicate(noQuirks);
  found.set('the default', byDefault);
  for (const profile of await listedProfiles()) {
    const isDefault = Object.keys(profile.quirks).length === 0;
    found.set(profile.id, isDefault ? byDefault : await deduplicate(quirksOf(profile)));
  }
  const bien = await listedProfile('bien-sparebank');
  found.set(twins, await deduplicate(quirksOf(bien), await loadKnownState('twins')));
}, 60_000);

const column = 'a transaction is known by';
const table = markdownLines(readFileSync('docs/account-information.md', 'utf8')).filter(
  ({ kind, columns }) => kind === 'row' && columns[0] === column,
);

function cellOf({ again, missed }: Deduplicated): string {
  if (again + missed === 0) return 'each once';
  return [...(again > 0 ? [`${again} again`] : []), ...(missed > 0 ? [`${missed} missed`] : [])].join(', ');
}

/** The banks of the table. */
const banks = (table[0]?.columns.slice(1) ?? []).map((name) => name.replaceAll('`', ''));

describe('the table of docs/account-information.md', () => {
  test('it has each rule, the default, and profiles', () => {
    expect(table.map(({ cells }) => cells[0])).toEqual(Object.keys(rules));
    expect(banks).toEqual(['the default', ...profileIds().filter((id) => banks.includes(id)), twins]);
  });

  test.each(profileIds().filter((id) => !banks.includes(id)))('%s, which is not in it, is as the default', (id) => {
    expect(found.get(id)).toEqual(found.get('the default'));
  });

  test.each(Object.keys(rules) as Rule[])('%s', (rule) => {
    const row = table.find(({ cells }) => cells[0] === rule);
    expect(row?.cells.slice(1)).toEqual(
      banks.map((bank) => cellOf(found.get(bank)?.[rule] ?? { again: 0, missed: 0 })),
    );
  });
});

describe('it agrees with what users reported', () => {
  const at = (bank: string, rule: Rule) => found.get(bank)?.[rule];

  test('register 1, 4: at SR-Bank the old rule has transactions again, the new one has not', () => {
    expect(at('sparebank1-sor-norge-sr', 'its id, date and amount')?.again).toBeGreaterThan(0);
    expect(at('sparebank1-sor-norge-sr', "the bank's own code, date and amount")?.again).toBe(0);
  });

  test('register 10: the new rule takes two purchases of one day and amount for one', () => {
    expect(at('sparebank1-sor-norge-sr', "the bank's own code, date and amount")?.missed).toBe(1);
  });

  test('register 2: at Østlandet neither id nor text matches', () => {
    for (const rule of ['its id alone', 'date, amount and text'] as const)
      expect(at('sparebank1-ostlandet', rule)?.again).toBeGreaterThan(0);
  });

  test('register 11: at Bien the hash of date, amount and text drops equal twins, and ids do not', () => {
    expect(at(twins, 'date, amount and text')?.missed).toBeGreaterThan(
      at('bien-sparebank', 'date, amount and text')?.missed ?? 0,
    );
    expect(at(twins, 'its id alone')).toEqual({ again: 0, missed: 0 });
  });

  test('at a bank whose ids stay, ids survive', () => {
    for (const bank of ['the default', 'bien-sparebank'])
      expect(at(bank, 'its id alone')).toEqual({ again: 0, missed: 0 });
  });
});
