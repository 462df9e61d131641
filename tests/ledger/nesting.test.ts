import { describe, expect, test } from '@jest/globals';
import { openLedger } from '../../engine/ledger/database.ts';
import type { Ledger } from '../../engine/ledger/database.ts';

type Access = 'read' | 'write';
const nestings: readonly (readonly [Access, Access])[] = [
  ['read', 'read'],
  ['read', 'write'],
  ['write', 'read'],
  ['write', 'write'],
];

function enter(ledger: Ledger, access: Access, work: () => Promise<string>): Promise<string> {
  return access === 'read' ? ledger.read(work) : ledger.write(work);
}

describe('a ledger transaction inside another', () => {
  // Kysely alone would hang for ever: the time limit is part of the test.
  test.each(nestings)(
    '%s, then %s: fails at once',
    async (outer, inner) => {
      const ledger = await openLedger(':memory:');
      const nested = enter(ledger, outer, () => enter(ledger, inner, () => Promise.resolve('inside')));
      await expect(nested).rejects.toThrow('begun inside another');
      await ledger.close();
    },
    2000,
  );

  test('side by side they follow one another', async () => {
    const ledger = await openLedger(':memory:');
    const steps: string[] = [];
    const work = (name: string) =>
      ledger.write(async () => {
        steps.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        steps.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b')]);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    await ledger.close();
  });

  test('after one that failed the ledger goes on', async () => {
    const ledger = await openLedger(':memory:');
    await expect(ledger.write(() => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose');
    await expect(ledger.read(() => Promise.resolve('fine'))).resolves.toBe('fine');
    await ledger.close();
  });
});
