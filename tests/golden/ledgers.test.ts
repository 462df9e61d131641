import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ledgers } from './ledgers.ts';

/* What a bank books stays. A change on purpose: `node tests/golden/rewrite.ts`. A new column or table is one. */

const kept = JSON.parse(readFileSync(new URL('kept/ledgers.json', import.meta.url), 'utf8')) as Record<string, string>;

test.each(Object.entries(ledgers))(
  'T5: the ledger of %s has the hash that it had',
  async (what, hash) => {
    expect(await hash()).toBe(kept[what]);
  },
  60_000,
);
