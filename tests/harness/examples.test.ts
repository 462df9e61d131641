import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBank, matchers, openPlatform, type Platform } from '../../api/harness/index.ts';
import { anne, nora, stranger, wednesday } from './harness-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The examples in the comments of the harness: each is carried out on a bank of its own, and has the result that it says. */

/** A member with a comment above it. `example`: the indented lines of the comment. */
interface Documented {
  readonly name: string;
  readonly example: readonly string[];
}

const comment =
  /^( *)\/\*\*((?:(?!\*\/)[^])*)\*\/\n\1(?:export type |export (?:declare )?class )?(?:readonly )?(\w+)(\(| = \()?/gm;
const files = ['bank', 'tpp', 'expectations'];
const all = files.flatMap((file) => documentedIn(readFileSync(`api/harness/types/${file}.ts`, 'utf8')));
// These need a server, and the fake timers of a runner: tests/harness/follow-clock.test.ts has them.
const elsewhere = ['ConnectBank', 'FollowClock'];

/** The methods and functions of a file, and what else has an example. */
function documentedIn(source: string): Documented[] {
  return [...source.matchAll(comment)].flatMap(([, , text = '', name = '', call]) => {
    const example = text.split('\n').flatMap((line) => /^ *\* {5}(.*)$/.exec(line)?.[1] ?? []);
    return call === undefined ? [] : [{ name, example }];
  });
}

/** The lines as a program: `expression; // => value` expects the value. */
function programOf(lines: readonly string[]): string {
  const program = lines.map((line) => line.replace(/^(.*); \/\/ => (.*)$/, 'expect($1).toEqual($2);')).join('\n');
  return stripTypeScriptTypes(`async () => {\n${program}\n}`);
}

/** Carries the program out with these names. */
function run(program: string, names: Readonly<Record<string, unknown>>): Promise<void> {
  const make = new Function(...Object.keys(names), `return (${program})();`) as (...values: unknown[]) => Promise<void>;
  return make(...Object.values(names));
}

const folder = tempFolder();
const started = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(started);
});

test('every method of the harness has an example', () => {
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(({ example }) => example.length === 0)).toEqual([]);
});

describe('an example does what it says', () => {
  const shown = all.filter(({ name }) => !elsewhere.includes(name));
  test.each(shown)('$name', async ({ example }) => {
    expect.extend(matchers);
    await using bank = await createBank({ now: wednesday });
    const tpp = bank.tpp();
    const order = { from: nora.bban, to: stranger, amount: '1.00' };
    const program = programOf(example);
    const given = {
      payment: () => tpp.pay({ ...order, amount: '250.00' }),
      unsigned: () => tpp.pay({ ...order, signedBy: [] }),
      ofTwo: () => tpp.pay({ ...order, from: '34330000017', signedBy: [] }),
      short: () => tpp.pay({ ...order, from: anne.bban, amount: '500.00' }),
      monthly: () => tpp.pay({ ...order, on: '2027-04-15', every: 'Monthly' }),
      reader: () => tpp.consent({ psu: nora.psu }),
      platform: () => openPlatform({ now: wednesday }),
    };
    const names: Record<string, unknown> = { bank, tpp, order, expect, createBank, openPlatform };
    // A payment is there unless the example makes it; the others only where it names them.
    for (const [name, make] of Object.entries(given)) {
      const isMade = new RegExp(`(?:const|using) ${name}\\b`).test(program);
      const isAsked = name === 'payment' || new RegExp(`\\b${name}\\b`).test(program);
      if (isAsked && !isMade) names[name] = await make();
    }
    try {
      await run(program, names);
    } finally {
      await (names['platform'] as Platform | undefined)?.close();
    }
  });
});
