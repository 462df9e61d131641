import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { keyPair } from '../../api/signing/certificate/key-pair.ts';

test('the keys of many new TPPs at once leave threads for files: a ledger or snapshot is read while they are made', async () => {
  let made = 0;
  const keys = Array.from({ length: 40 }, async () => {
    await keyPair(1024);
    made += 1;
  });
  // Each of its steps needs a thread of the pool that makes keys.
  await readFile(new URL(import.meta.url));
  expect(made).toBeLessThan(20);
  await Promise.all(keys);
  expect(made).toBe(40);
}, 60_000);
