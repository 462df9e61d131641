import { randomInt } from 'node:crypto';
import { test } from '@jest/globals';
import { expectNoDifference } from './odd-recordings.ts';

/* DW2: whatever a client sends, an answer of Sandbank is no difference, and bank and judge say the same of each request. */

const seed = Number(process.env['SAMPLE_SEED'] ?? randomInt(2 ** 31));

test(`DW2: recordings with wrong and odd requests under drawn quirks have no difference (SAMPLE_SEED=${seed})`, () =>
  expectNoDifference(seed, 2));
