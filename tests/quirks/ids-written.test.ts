import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type IdKind, WireIds } from '../../api/quirks/encrypted-ids.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { choiceOf, idLengths, isProblem, noQuirks, quirkNames, switched } from '../../engine/bank/rules/quirk.ts';
import { runs } from '../support/sample.ts';

/* rules.md Q3: how ids are written on the wire, and read back. */

const key = 'c0'.repeat(32);

function wireIds(list: string, ofKey = key): WireIds {
  const quirks = switched(noQuirks, choiceOf(list));
  if (isProblem(quirks)) throw new Error(quirks.problem);
  return new WireIds(ofKey, quirks);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const resourceId = fc
  .uint8Array({ minLength: 31, maxLength: 31 })
  .map((bytes) => `enc!!${Buffer.from(bytes).toString('base64url')}==`);
const transactionId = fc.integer({ min: 1, max: 999_999_999_999 }).map(transactionIdOf);

/** A kind, a length that it may have, padded or not, two ids of it and a period. */
const cases = fc.constantFrom(...(Object.keys(idLengths) as IdKind[])).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    length: fc.integer({ min: idLengths[kind], max: 512 }),
    end: fc.constantFrom('', '/unpadded'),
    ids: fc.tuple(...[1, 2].map(() => (kind === 'transaction' ? transactionId : resourceId))),
    period: kind === 'transaction' ? fc.integer({ min: -1_000_000, max: 100_000_000 }) : fc.constant(0),
    place: fc.nat(),
    step: fc.integer({ min: 1, max: letters.length - 1 }),
  }),
);

const quirksOf = ({ kind, length, end }: { kind: IdKind; length: number; end: string }) =>
  `reissued-ids=P1D,id-lengths=${kind}:${length}${end}`;

test('register 4, 5, 6: each id has its length and its end, and is read back with its period', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { kind, length, end, ids, period } = one;
      const wire = wireIds(quirksOf(one));
      const id = ids[0] ?? '';
      const shown = kind === 'transaction' ? wire.showIn(period, id) : wire.show(kind, id);
      expect(shown).toMatch(end === '' ? /^enc!![\w-]+=$/ : /^enc!![\w-]+$/);
      expect(shown).toHaveLength(length);
      expect(wire.read(kind, shown)).toEqual({ id, period });
    }),
    { seed: 29, numRuns: runs(300) },
  );
});

test('Q3: no two ids of the ledger look alike, in no two periods', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { kind, ids, period } = one;
      const wire = wireIds(quirksOf(one));
      const shown = new Set(ids.flatMap((id) => [wire.showIn(period, id), wire.showIn(period + 1, id)]));
      const different = new Set(ids).size * 2;
      if (kind === 'transaction') expect(shown.size).toBe(different);
      else expect(new Set(ids.map((id) => wire.show(kind, id))).size).toBe(new Set(ids).size);
    }),
    { seed: 29, numRuns: runs(300) },
  );
});

test('Q3d: an id with one other letter is not the same id, and mostly none', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { kind, ids, period, place, step } = one;
      const wire = wireIds(quirksOf(one));
      const id = ids[0] ?? '';
      const shown = wire.showIn(period, id);
      const changeable = shown.length - (shown.endsWith('=') ? 6 : 5);
      const at = 5 + (place % changeable);
      const other = letters[(letters.indexOf(shown[at] ?? '') + step) % letters.length] ?? '';
      const read = wire.read(kind, shown.slice(0, at) + other + shown.slice(at + 1));
      if (kind === 'transaction') expect(read).toBeNull();
      else expect(read?.id).not.toBe(id);
    }),
    { seed: 29, numRuns: runs(300) },
  );
});

test('Q3d: texts that no bank writes are no ids, and no error', () => {
  const wire = wireIds('id-lengths=transaction:241/payment:69/resource:49,reissued-ids');
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...letters) }).map((end) => `enc!!${end}`),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...(Object.keys(idLengths) as IdKind[])), (any, kind) => {
      expect(wire.read(kind, any)).toBeNull();
    }),
    { seed: 29, numRuns: runs(300) },
  );
});

test('Q3d: another key writes other ids, and reads none of these', () => {
  const id = transactionIdOf(7);
  const list = 'id-lengths=transaction:241';
  const [own, other] = [wireIds(list), wireIds(list, '0'.repeat(64))];
  expect(other.show('transaction', id)).not.toBe(own.show('transaction', id));
  expect(other.read('transaction', own.show('transaction', id))).toBeNull();
});

test('register 4: two ids of 241 characters are alike for 128 characters, and differ as a whole', () => {
  const wire = wireIds('id-lengths=transaction:241');
  const [one = '', other = ''] = [7, 8].map((number) => wire.show('transaction', transactionIdOf(number)));
  expect(one.slice(0, 128)).toBe(other.slice(0, 128));
  expect(one).not.toBe(other);
});

describe('which ids change', () => {
  const kinds = Object.keys(idLengths) as IdKind[];
  const changed = (list: string) => kinds.filter((kind) => wireIds(list).changes(kind));

  test('Q3: no other quirk changes any', () => {
    expect(quirkNames.filter((name) => name !== 'id-lengths').flatMap(changed)).toEqual([]);
  });

  test.each([
    ['id-lengths=payment:69', ['payment']],
    ['id-lengths=resource:49/transaction:29', ['transaction', 'resource']],
    // Whatever has no length of its own keeps that of the ledger, and loses its end.
    ['id-lengths=unpadded', kinds],
    ['id-lengths=payment:69/unpadded', kinds],
  ])('Q3: %s changes %j', (list, expected) => {
    expect(changed(list)).toEqual(expected);
  });
});
