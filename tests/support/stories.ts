import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/**
 * A story of story.ts in a file of text. A line such as `# S4: a fifth attempt` begins each one; the next one may say how its bank is
 * started: `with --quirks leap-days`.
 */
interface Story {
  readonly file: string;
  readonly name: string;
  readonly flags: readonly string[];
  readonly text: string;
}

/** All of them, in the order of the files. */
export function allStories(): readonly Story[] {
  return globSync('tests/scenarios/*.txt')
    .toSorted()
    .flatMap((file) => {
      const [before = '', ...stories] = readFileSync(file, 'utf8').split(/^# /m);
      assert.equal(before, '', `${file} begins with a story`);
      return stories.map((story) => {
        const [, name = '', words, text = ''] = /^(.+)\n(?:with (.+)\n)?([^]*)$/.exec(story) ?? [];
        return { file, name, flags: words?.split(' ') ?? [], text };
      });
    });
}
