import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { platformIds } from '../../api/start/platform.ts';
import { allTrials, changed } from '../../api/gauntlet/trials.ts';
import { withMadePart } from '../../scripts/cli/made-part.ts';
import { trialSections } from '../../scripts/gauntlet/page.ts';

const trials = await allTrials();

test('GA2: docs/gauntlet.md is what npm run generate writes', async () => {
  const page = readFileSync('docs/gauntlet.md', 'utf8');
  expect(page).toBe(withMadePart(page, await trialSections()));
});

test('GA2: each quirk and each bank of the platform has a trial; each name is there once', () => {
  const named = (kind: string) => trials.filter((trial) => trial.kind === kind).map(({ name }) => name);
  expect(named('quirk').filter((name) => !name.includes('='))).toEqual(quirkNames);
  expect(named('quirk')).toEqual(expect.arrayContaining(['limit-cap=2', 'bank-codes=none', 'reissued-ids=session']));
  expect(named('profile').toSorted()).toEqual(platformIds().toSorted());
  expect(new Set(trials.map(({ name }) => name)).size).toBe(trials.length);
  // Four faults at four places, and the late answer.
  expect(named('wire')).toHaveLength(17);
});

test('GA1: a quirk that changes no answer by itself says by what it is heard', async () => {
  const silent = (await allQuirks()).filter(({ show, met }) => show === undefined && met === undefined);
  expect(silent.length).toBeGreaterThan(10);
  const wrong = silent.filter(({ name }) => trials.find((trial) => trial.name === name)?.heard === changed);
  expect(wrong).toEqual([]);
});

test('GA4: each trial has a sentence, a place in the guide, and the banks that were seen', () => {
  for (const { sentence, docs } of trials) {
    expect(sentence).toMatch(/\.$/);
    const [file = '', anchor = ''] = docs.split('#');
    expect(readFileSync(file, 'utf8').toLowerCase()).toMatch(new RegExp(`^#+ ${anchor}$`, 'm'));
  }
  const banksOf = (wanted: string) => trials.find(({ name }) => name === wanted)?.banks;
  expect(banksOf('reissued-ids')).toEqual(expect.arrayContaining(['sparebank1-ostlandet', 'sparebank1-sor-norge-sr']));
  expect(banksOf('gateway')).toEqual([]);
});
