import { expect, test } from '@jest/globals';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { differencesOf } from '../../scripts/drift/explain.ts';
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
  for (const { at, what, change, tells } of someOf('plants of form', plants, 120)) {
    const told = await toldOf(withPlanted(base, at, change));
    if (told !== tells) wrong.push(`${at}, ${what}: ${told || 'nothing'} is told, and not ${tells}`);
  }
  expect({ sameSample, wrong }).toEqual({ sameSample, wrong: [] });
});
