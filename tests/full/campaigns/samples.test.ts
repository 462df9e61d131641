import { expect, test } from '@jest/globals';
import { oneOf, sample } from '../../support/sample.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index);

test('a sample is a part of the items, the same for the same name within a run', () => {
  const drawn = sample('one', hundred, 4);
  expect(sample('one', hundred, 4)).toEqual(drawn);
  expect(drawn).toHaveLength(25);
  expect(sample('another', hundred, 4)).not.toEqual(drawn);
  expect(sample('one', hundred, 1)).toEqual(hundred);
});

test('no sample is empty, and each item is in one', () => {
  const ten = hundred.slice(0, 10);
  const drawn = hundred.map((index) => sample(`name ${index}`, ten, 3));
  expect(Math.min(...drawn.map(({ length }) => length))).toBe(3);
  expect(new Set(drawn.flat())).toEqual(new Set(ten));
});

test('of a few items one is drawn, by its name', () => {
  const drawn = hundred.map((index) => oneOf(`name ${index}`, ['a', 'b']));
  expect(drawn.every(({ length }) => length === 1)).toBe(true);
  expect(new Set(drawn.flat())).toEqual(new Set(['a', 'b']));
  expect(oneOf('name 1', ['a', 'b'])).toEqual(drawn[1]);
});
