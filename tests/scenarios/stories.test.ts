import { expect, test } from '@jest/globals';
import { brokenProofs } from '../lab/proof.ts';
import { allStories } from '../support/stories.ts';
import { tell } from '../support/story.ts';

test.each(allStories())('$name ($file)', async ({ text }) => {
  const { bank } = await tell(text);
  expect(await brokenProofs(bank)).toEqual({});
  await bank.close();
});
