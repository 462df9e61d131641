import { beforeAll, describe, expect, test } from '@jest/globals';
import { situationAreas } from '../../api/coverage/behaviours.ts';
import { metBy, stories } from './stories.ts';

const names = Object.keys(situationAreas);

test('every situation has a story here', () => {
  expect(Object.keys(stories).toSorted()).toEqual(names.toSorted());
});

describe('what each story meets, in a bank of its own', () => {
  const met = new Map<string, readonly string[]>();
  beforeAll(async () => {
    for (const [name, story] of Object.entries(stories)) met.set(name, await metBy(story));
  }, 120_000);

  test.each(names)('%s is met by its story', (name) => {
    expect(met.get(name)).toContain(name);
  });

  test.each(names)('%s is not met once its story is taken away', (name) => {
    const others = [...met].filter(([own]) => own !== name).flatMap(([, all]) => all);
    expect(others).not.toContain(name);
  });
});
