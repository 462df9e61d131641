import { test } from '@jest/globals';
import { expectSameCopy } from '../../lab/copies.ts';
import { sample } from '../../support/sample.ts';

/* B10: tests/properties/copies.test.ts with more banks: five in each run. */

const seeds = Array.from({ length: 20 }, (_, index) => 100 + index);

test.each(sample('copies', seeds, 4))('B10: a copy goes on as its original would, seed %d', expectSameCopy);
