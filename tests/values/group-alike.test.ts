import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupAlike } from '../../engine/values/lists.ts';

interface Item {
  readonly kind: string;
  readonly place: number;
}

const keyOf = ({ kind }: Item): string => kind;
const isAlike = (one: Item, other: Item): boolean => one.kind === other.kind;

test('the groups, and the items in them, are those of Map.groupBy, in its order', () => {
  const kinds = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
  fc.assert(
    fc.property(kinds, (all) => {
      const items = all.map((kind, place) => ({ kind, place }));
      expect([...groupAlike(items, keyOf, isAlike)]).toEqual([...Map.groupBy(items, keyOf).values()]);
    }),
  );
});

test('a key is built for an item that differs from the one before, and for no other', () => {
  const items = ['a', 'a', 'a', 'b', 'b', 'a'].map((kind, place) => ({ kind, place }));
  const built: number[] = [];
  const groups = groupAlike(items, (item) => (built.push(item.place), item.kind), isAlike);
  expect([...groups].map((group) => group.length)).toEqual([4, 2]);
  expect(built).toEqual([0, 3, 5]);
});
