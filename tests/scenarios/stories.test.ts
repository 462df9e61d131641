import { expect, test } from '@jest/globals';
import { settingsOf } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { allStories } from '../support/stories.ts';
import { tell } from '../support/story.ts';

test.each(allStories())('$name ($file)', async ({ flags, text }) => {
  const { bank } = await tell(text, settingsOf(flags));
  expect(await brokenProofs(bank)).toEqual({});
  await bank.close();
});
