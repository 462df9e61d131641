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
      const found = readFileSync(file, 'utf8').matchAll(/^# (.+)\n(?:with (.+)\n)?([^#]*)/gm);
      return Array.from(found, ([, name = '', words, text = '']) => ({
        file,
        name,
        flags: words?.split(' ') ?? [],
        text,
      }));
    });
}
