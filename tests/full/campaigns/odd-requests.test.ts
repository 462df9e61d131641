import { test } from '@jest/globals';
import { expectNoDifference } from '../../drift/odd-recordings.ts';
import { isWhole, seed } from '../../support/sample.ts';

test(`DW2: more recordings with wrong and odd requests have no difference either (SAMPLE_SEED=${seed})`, () =>
  expectNoDifference(seed, isWhole ? 60 : 4));
