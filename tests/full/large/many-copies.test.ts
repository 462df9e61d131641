import { test } from '@jest/globals';
import { expectSameCopy } from '../../lab/copies.ts';

/* B10: tests/properties/copies.test.ts with more banks. */

const seeds = Array.from({ length: 20 }, (_, index) => 100 + index);

test.each(seeds)('B10: a copy goes on as its original would, seed %d', expectSameCopy);
