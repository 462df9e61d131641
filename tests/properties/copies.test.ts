import { test } from '@jest/globals';
import { expectSameCopy } from '../lab/copies.ts';
import { oneOf } from '../support/sample.ts';

/* B10: a copy of a bank in the middle of everything behaves as its original from there on, and the original does not notice. */

test.each(oneOf('copies that go on', [1, 2, 3]))('B10: a copy goes on as its original would, seed %d', expectSameCopy);
