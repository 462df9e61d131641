import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
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
import { runs } from '../support/sample.ts';
import { askOddly } from './odd-client.ts';

/* DW2: whatever a client sends, an answer of Sandbank is no difference, and bank and judge say the same of each request. */

const seed = Number(process.env['SAMPLE_SEED'] ?? randomInt(2 ** 31));

test(`DW2: recordings with wrong and odd requests under drawn quirks have no difference (SAMPLE_SEED=${seed})`, async () => {
  let refused = 0;
  for (let round = 0; round < runs(6); round += 1) {
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
  expect(refused).toBeGreaterThan(10 * runs(6));
});

/** So many quirks that go together. */
function drawn(count: number, draw: () => string): Quirks {
  let quirks = noQuirks;
  for (let left = count; left > 0; left -= 1) {
    const next = switched(quirks, choiceOf(draw()));
    if (!isProblem(next)) quirks = next;
  }
  return quirks;
}
