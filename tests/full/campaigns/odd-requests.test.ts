import { randomInt } from 'node:crypto';
import { test } from '@jest/globals';
import { expectNoDifference } from '../../drift/odd-recordings.ts';
import { isWhole } from '../../support/sample.ts';

const seed = Number(process.env['SAMPLE_SEED'] ?? randomInt(2 ** 31));

test(`DW2: more recordings with wrong and odd requests have no difference either (SAMPLE_SEED=${seed})`, () =>
  expectNoDifference(seed, isWhole ? 60 : 8));
