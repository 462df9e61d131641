import { globSync, readFileSync } from 'node:fs';

/** A story of story.ts in a file of text, where a line such as `# S4: a fifth attempt` begins each one. */
interface Story {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** All of them, in the order of the files. */
export function allStories(): readonly Story[] {
  return globSync('tests/scenarios/*.txt')
    .toSorted()
    .flatMap((file) => {
      const found = readFileSync(file, 'utf8').matchAll(/^# (.+)\n([^#]*)/gm);
      return Array.from(found, ([, name = '', text = '']) => ({ file, name, text }));
    });
}
