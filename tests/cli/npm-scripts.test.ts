import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { runMain } from '../support/recorded-terminal.ts';

/* The scripts of package.json that are a command of their name. */

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe.each([
  ['reset', 'sandbank reset [--fixtures'],
  ['next-dates', 'sandbank next-dates --start VALUE --frequency VALUE'],
  ['sign', 'sandbank sign METHOD URL'],
])('npm run %s', (name, usage) => {
  const run = (...args: string[]) =>
    runMain([name, ...args], { env: { npm_lifecycle_event: name, npm_package_name: 'sandbank' } });

  test('is the command', () => {
    expect(scripts[name]).toBe(`node scripts/sandbank.js ${name}`);
  });

  test.each(['--help', '-h'])('%s says how to use it 80 columns wide, and ends in 0', async (flag) => {
    const { code, lines, errors } = await run(flag);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines[0]?.startsWith(`usage: ${usage}`)).toBe(true);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a flag that it does not have is told in one line, and ends in 2', async () => {
    const { code, lines, errors } = await run('--colour', 'red');
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toEqual([expect.stringMatching(/--colour.*sandbank .*--help/)]);
  });
});
