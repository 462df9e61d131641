import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guidePages, pageBlocks, type PageBlock, pagesOf } from '../support/markdown.ts';
import { PageShell } from './page-shell.ts';
import { startTestBank } from '../lab/server.ts';
import { withCurl } from '../support/test-with.ts';

const pages = guidePages().map((path) => ({ path, text: readFileSync(path, 'utf8'), blocks: pageBlocks(path) }));

const project = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
};

const withCommands = pages.filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'));

/** Pages whose commands another test runs, step by step. */
const ownTest: Readonly<Record<string, string>> = {
  'docs/commands.md': 'tests/full/docs/commands-page.test.ts',
  ...Object.fromEntries(pagesOf('signing').map((path) => [path, 'tests/full/docs/signing-page.test.ts'])),
};

/** What a fence says of its block. `sh` is run; `console` is not, and each of its lines has a row in `notRun`; `yaml` is tests/full/package/image.test.ts. */
const languages = ['sh', 'console', 'js', 'mjs', 'text', 'json', 'java', 'python', 'php', 'go', 'pem', 'yaml'];

interface NotRun {
  readonly why: string;
  /** A file that carries the line out, or shows what it does, and words that stand in it. */
  readonly shownBy: readonly [file: string, words: string];
}

/** The lines of `console` blocks, by how they begin. */
const notRun: Readonly<Record<string, NotRun>> = {
  'npm ci': { why: 'it replaces node_modules', shownBy: ['.ci/run', 'npm ci'] },
  'npm start': {
    why: 'it goes on until it is stopped',
    shownBy: ['tests/full/hosting/stopping.test.ts', "spawn('npm', ['start'"],
  },
  'npm pack': { why: 'it builds the package', shownBy: ['tests/full/package/built.ts', "'npm', ['pack'"] },
  'npm install --save-dev': { why: 'it installs', shownBy: ['tests/full/package/project.ts', '--strip-components=1'] },
  'docker build': {
    why: 'there is no Docker engine',
    shownBy: ['tests/full/package/built.ts', "'npm', ['run', 'prepack']"],
  },
  'docker run': {
    why: 'there is no Docker engine',
    shownBy: ['tests/full/package/image.test.ts', "commandOf('ENTRYPOINT')"],
  },
  'docker compose up': {
    why: 'there is no Docker engine',
    shownBy: ['tests/full/package/image.test.ts', "describe('compose.yaml'"],
  },
  'docker stop': {
    why: 'there is no Docker engine',
    shownBy: ['tests/full/package/image.test.ts', "bank.kill('SIGTERM')"],
  },
  'docker cp': {
    why: 'there is no Docker engine',
    shownBy: ['tests/full/package/image.test.ts', 'a copy of the ledger of a stopped server'],
  },
  'docker start': {
    why: 'there is no Docker engine',
    shownBy: ['tests/ledger/snapshot-file.test.ts', 'a restore is the file in its place'],
  },
  'docker exec CONTAINER sandbank snapshot': {
    why: 'there is no Docker engine',
    shownBy: ['tests/ledger/snapshot-file.test.ts', 'a restore is the file in its place'],
  },
  mv: {
    why: 'nothing was copied out of a container',
    shownBy: ['tests/ledger/snapshot-file.test.ts', 'a restore is the file in its place'],
  },
  'curl -N': {
    why: 'it goes on until it is stopped',
    shownBy: ['tests/full/hosting/event-streams.test.ts', '/sandbox/events'],
  },
  'npx --no sandbank serve': {
    why: 'it goes on until it is stopped',
    shownBy: ['tests/full/package/programs.test.ts', 'the lines of the skill start a bank'],
  },
  'npx --no sandbank ready': {
    why: 'the bank of these pages is there already',
    shownBy: ['tests/full/package/programs.test.ts', 'the lines of the skill start a bank'],
  },
  'npx --no sandbank open': {
    why: 'it goes on until it is stopped',
    shownBy: ['tests/full/package/red-tests.test.ts', 'npx --no sandbank open opens the bundle of a red test'],
  },
  'sandbank drift': {
    why: 'it needs a recording',
    shownBy: ['tests/commands/drift.test.ts', 'a line for each difference, with its first place; exit code 1'],
  },
  'sandbank proxy': {
    why: 'it goes on until it is stopped',
    shownBy: ['tests/full/processes/proxy.test.ts', 'a recorded story has no difference after a kill'],
  },
  'npx --no sandbank gauntlet': {
    why: 'it runs the tests of a project',
    shownBy: ['tests/full/gauntlet/command.test.ts', 'runs the trials that are heard'],
  },
  javac: { why: 'there is no JUnit', shownBy: ['tests/full/docs/examples.test.ts', 'javac -d . -cp'] },
  'java -jar': {
    why: 'there is no JUnit',
    shownBy: ['tests/full/docs/examples.test.ts', 'ConsoleLauncher --scan-classpath'],
  },
  'npm run check': { why: 'it runs this test', shownBy: ['.ci/run', 'npm run check'] },
};

/** The table row that a line belongs to; the longest beginning wins. */
function reasonFor(line: string): string | undefined {
  return Object.keys(notRun)
    .filter((beginning) => line.startsWith(beginning))
    .toSorted((one, other) => other.length - one.length)[0];
}

const consoleLines = pages
  .flatMap(({ blocks }) => blocks)
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => text.split('\n'))
  .map((line) => line.replace(/ +#.*$/, ''))
  .filter((line) => line !== '' && !line.startsWith('  '));

describe('the commands of a page', () => {
  let shell: PageShell;
  beforeAll(async () => {
    shell = await PageShell.open();
  });
  afterAll(() => shell.close());

  withCurl.each(withCommands.filter(({ path }) => !(path in ownTest)))(
    '$path: each runs, in their order, and prints what the page shows',
    async ({ blocks }) => {
      const steps = blocks.filter(({ language }) => language === 'sh');
      const bank = await startTestBank('2027-03-24T12:00:00+01:00');
      const texts = steps.map(({ text }) => text.replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):7263/g, bank.address));
      const { printed, refused, failure } = await shell.run(texts, { BANK: bank.address });
      await bank.stop();
      expect(failure).toBeNull();
      expect(refused).toEqual([]);
      for (const [index, step] of steps.entries()) {
        const shown = blocks[blocks.indexOf(step) + 1];
        if (shown !== undefined && isOutput(shown)) expectShown(printed[index] ?? '', shown);
      }
    },
  );

  test('a page with a test of its own has one', () => {
    for (const { path } of withCommands) {
      const file = ownTest[path];
      if (file !== undefined) expect(readFileSync(file, 'utf8')).toContain(path);
    }
  });

  test('what is not run is on the list, with the reason and what shows it instead', () => {
    expect(consoleLines.filter((line) => reasonFor(line) === undefined)).toEqual([]);
    const used = new Set(consoleLines.map(reasonFor));
    expect(Object.keys(notRun).filter((beginning) => !used.has(beginning))).toEqual([]);
    for (const { shownBy } of Object.values(notRun)) expect(readFileSync(shownBy[0], 'utf8')).toContain(shownBy[1]);
  });

  test('every fence has one of the known languages', () => {
    const unknown = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => !languages.includes(language))
        .map(({ language, line }) => `${path}:${line} ${language}`),
    );
    expect(unknown).toEqual([]);
  });

  withCurl('a command that fails, a call that is refused and a text that is not printed are seen', async () => {
    expect((await shell.run(['true', 'sandbank no-such-command'])).failure).toContain('There is no command');
    expect((await shell.run(['npm run no-such-script'])).failure).toContain('this test runs no: npm run');
    expect((await shell.run(['curl -s http://127.0.0.1:1/ | cat'])).refused).toEqual(['-s http://127.0.0.1:1/']);
    expect((await shell.run(['echo one', 'echo two'])).printed.map((text) => text.trim())).toEqual(['one', 'two']);
    const shown = { section: '', language: 'text', text: 'one\n...\nthree', line: 1 };
    expect(() => expectShown('one\ntwo\nthree', shown)).not.toThrow();
    expect(() => expectShown('three\none', shown)).toThrow('three');
  });
});

/** A block of what the commands above it print. */
function isOutput({ language }: PageBlock): boolean {
  return language === 'text' || language === 'json';
}

/** Each line that the page shows was printed, in its order; ids are drawn anew each time, and `...` stands for other lines. */
function expectShown(printed: string, { language, text }: PageBlock): void {
  const plain = (words: string): string =>
    words
      .replaceAll(/enc!![\w-]+=*/g, 'enc!!')
      .replaceAll(/\/sca\/[\w-]{32}/g, '/sca/')
      .replaceAll(/\bpsu-id=[\da-f-]{36}/g, 'psu-id=')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1');
  if (language === 'json') {
    expect(JSON.parse(plain(printed))).toMatchObject(JSON.parse(plain(text)) as Record<string, unknown>);
    return;
  }
  let rest = plain(printed);
  for (const line of plain(text).split('\n')) {
    if (line.trim() === '...') continue;
    expect(rest).toContain(line);
    rest = rest.slice(rest.indexOf(line) + line.length);
  }
}

describe('the links of a page', () => {
  test.each(pages)('$path: each leads to a file and a heading that there are', ({ path, text }) => {
    expect(linksOf(text).filter((target) => !leads(path, target))).toEqual([]);
  });

  test('of a page in the package: each leads to a file in the package, or its line says that it is in the repository', () => {
    const packedPages = globSync('{*.md,{docs,examples}/**/*.md}').filter(isPacked);
    expect(packedPages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/tests.md']));
    expect(packedPages).not.toContain('ARCHITECTURE.md');
    const dead = packedPages.flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => !line.includes('in the repository'))
        .flatMap((line) => linksOf(line).filter((target) => !isPacked(fileOf(path, target))))
        .map((target) => `${path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test('a link to nowhere is seen', () => {
    expect(leads('README.md', 'docs/no-such-page.md')).toBe(false);
    expect(leads('README.md', 'docs/signing.md#no-such-heading')).toBe(false);
    expect(leads('docs/signing.md', '../README.md')).toBe(true);
  });

  test('the README has at most 450 words outside its blocks and 15 links, and its block sets up first, in lines for every shell', () => {
    const readme = readFileSync('README.md', 'utf8');
    const prose = readme.replaceAll(/^```[^]*?^```$/gm, '');
    expect(prose.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(450);
    expect(linksOf(readme.replaceAll(/!\[.*\)/g, '')).length).toBeLessThanOrEqual(15);
    const blocks = pageBlocks('README.md').filter(({ section }) => section === 'Start');
    const settingUp = blocks.filter(({ text }) => text.startsWith('npm ci')).map(({ text }) => text);
    expect(settingUp).toEqual(['npm ci\nnpm run demo']);
    // Windows PowerShell 5 has no `&&`, and neither PowerShell nor cmd sets a variable before a command.
    expect(blocks.filter(({ text }) => /&&|^\w+=\S+ \w/m.test(text))).toEqual([]);
  });

  test('a page by hand has at most 1,500 words: a longer one is two, or too long', () => {
    const isMade = /`npm run (?:generate|campaigns)`/;
    const words = pages
      .filter(({ path, text }) => path.startsWith('docs/') && !isMade.test(text))
      .map(({ path, text }) => ({ path, count: text.split(/\s+/).filter(Boolean).length }));
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter(({ count }) => count > 1_500)).toEqual([]);
  });

  test('every npx of our own name has --no: npm never fetches a package of that name that is not ours', () => {
    const files = globSync('{*.md,{docs,examples,.github}/**/*.{md,yml,json,py,mjs,ts}}');
    const fetching = /\bnpx (?!--no )(?:-\S+ )*sandbank\b|"npx", ?"args": ?\["sandbank|"args":\["sandbank/;
    expect(files.filter((path) => fetching.test(readFileSync(path, 'utf8')))).toEqual([]);
    expect(fetching.test('claude mcp add sandbank -- npx sandbank mcp')).toBe(true);
  });

  test('every npm script that a page names exists', () => {
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in project.scripts))).toEqual([]);
  });
});

/** The relative links of a text, outside its blocks. */
function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
}

/** Whether `npm pack` takes a file or folder: what `files` of package.json names, and what npm adds by itself. */
function isPacked(path: string): boolean {
  const all = ['README.md', 'LICENSE', 'package.json', ...project.files];
  return all.some((name) => matchesGlob(path, name) || matchesGlob(path, `${name}/**`));
}

/** Whether a relative link of a page leads to a file, and its anchor to a heading there. */
function leads(from: string, target: string): boolean {
  const path = fileOf(from, target);
  const [, anchor] = target.split('#');
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

/** Where a relative link of a page leads, without its anchor. */
function fileOf(from: string, target: string): string {
  const [file = ''] = target.split('#');
  return file === '' ? from : join(dirname(from), file);
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
