import { expect, test } from '@jest/globals';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { differencesOf } from '../../scripts/drift/explain.ts';
import { tellDrift } from '../../scripts/drift/tell.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { sameSample, someOf } from '../support/sample.ts';
import { formPlants } from './form-plants.ts';
import { baseRecording, withPlanted } from './planted.ts';

/* DW6: what an answer has in another form is told at its place. */

const base = await baseRecording();
const plants = formPlants(base);

async function toldOf(entries: readonly unknown[]): Promise<string> {
  const { exchanges, notJudged } = recordingOf(entries);
  const lower = new Set(notJudged.map((name) => name.toLowerCase()));
  const found = await differencesOf({ exchanges, quirks: noQuirks, accepted: new Set(), notJudged: lower });
  return [...new Set(found.map(({ member, kind }) => `${member} ${kind}`))].join(' ');
}

test(`DW6: each of ${plants.length} plants of form is told at its place, and nothing else is`, async () => {
  expect(plants.length).toBeGreaterThan(300);
  expect(await toldOf(base.entries)).toBe('');
  const wrong: string[] = [];
  const [ofHeaders, others] = [true, false].map((isOf) => plants.filter(({ tells }) => /^header/.test(tells) === isOf));
  for (const { at, what, change, tells } of [...(ofHeaders ?? []), ...someOf('plants of form', others ?? [], 25)]) {
    const told = await toldOf(withPlanted(base, at, change));
    if (told !== tells) wrong.push(`${at}, ${what}: ${told || 'nothing'} is told, and not ${tells}`);
  }
  expect({ sameSample, wrong }).toEqual({ sameSample, wrong: [] });
});

const ids = plants.filter(({ tells }) => /(?:transactionId|paymentId|resourceId) (?:value|type)$/.test(tells));

test(`DW3: no quirk explains any of ${ids.length} ids of another form, and a client breaks by each`, async () => {
  const wrong: string[] = [];
  for (const { at, what, change } of someOf('ids of another form', ids, 6)) {
    const recording = recordingOf(withPlanted(base, at, change));
    const { differences, quirks } = await tellDrift(recording, { quirks: noQuirks, accepted: new Set() });
    const isNew = differences.length > 0 && differences.every(({ quirk, breaks }) => quirk === null && breaks);
    if (!isNew || quirks.length > 0) wrong.push(`${at}, ${what}: ${JSON.stringify(quirks)}`);
  }
  expect({ sameSample, wrong }).toEqual({ sameSample, wrong: [] });
});
