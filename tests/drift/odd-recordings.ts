import { expect } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import {
  choiceOf,
  isProblem,
  noQuirks,
  type Quirks,
  quirkTexts as textsOf,
  switched,
} from '../../engine/bank/rules/quirk.ts';
import { keyOf } from '../../scripts/drift/explain.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { tellDrift } from '../../scripts/drift/tell.ts';
import { quirkTexts } from '../golden/banks.ts';
import { Recorder } from '../lab/recorder.ts';
import { seeded } from '../lab/seeded.ts';
import { askOddly } from './odd-client.ts';

/** Records so many sessions under drawn quirks, as signed requests or at the unsigned door, and judges each with and without stand-ins. */
export async function expectNoDifference(seed: number, count: number): Promise<void> {
  let refused = 0;
  for (let round = 0; round < count; round += 1) {
    const random = seeded(seed + round);
    const quirks = drawn(random.below(4), () => random.pick(quirkTexts));
    await using bank = await createBank({
      now: '2027-03-01T12:00:00+01:00',
      idSeed: String(round),
      quirks: textsOf(quirks) as never,
    });
    const recorder = new Recorder(bank, random.below(2) === 0);
    await askOddly(recorder, random, 60);
    const { entries } = recorder;
    refused += entries.filter(({ response }) => response.status === 400).length;
    const standIns = new StandIns(String(seed));
    for (const all of [entries, entries.map((entry) => standIns.rewritten(entry))]) {
      const { differences } = await tellDrift(recordingOf(all), { quirks, accepted: new Set() });
      const told = differences.map((one) => `${keyOf(one)} ${JSON.stringify(one.bank)} entry ${one.first.entry}`);
      expect({ round, quirks: textsOf(quirks), told }).toEqual({ round, quirks: textsOf(quirks), told: [] });
    }
  }
  // Else the requests were right.
  expect(refused).toBeGreaterThan(10 * count);
}

/** So many quirks that go together. */
function drawn(count: number, draw: () => string): Quirks {
  let quirks = noQuirks;
  for (let left = count; left > 0; left -= 1) {
    const next = switched(quirks, choiceOf(draw()));
    if (!isProblem(next)) quirks = next;
  }
  return quirks;
}
