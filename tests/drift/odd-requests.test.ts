import { test } from '@jest/globals';
import { seed } from '../support/sample.ts';
import { expectNoDifference } from './odd-recordings.ts';

/* DW2: whatever a client sends, an answer of Sandbank is no difference, and bank and judge say the same of each request. */

test(`DW2: recordings with wrong and odd requests under drawn quirks have no difference (SAMPLE_SEED=${seed})`, () =>
  expectNoDifference(seed, 2));
