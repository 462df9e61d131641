import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

function run(script: string, ...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [resolve('scripts', script), ...args], { env: {} }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, out, errors }),
    );
  });
}

describe.each([
  ['reset.ts', 'npm run reset -- [--now'],
  ['next-dates.ts', 'npm run -s next-dates -- --start YYYY-MM-DD'],
  ['sign-request.ts', 'npm run -s sign -- METHOD URL'],
])('%s', (script, usage) => {
  test.each(['--help', '-h'])('%s says how to use it 80 columns wide, and ends in 0', async (flag) => {
    const { code, out, errors } = await run(script, flag);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.startsWith('usage: ')).toBe(true);
    expect(out).toContain(usage);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a flag that it does not have is told in one line, and ends in 2', async () => {
    const { code, out, errors } = await run(script, '--colour', 'red');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toMatch(/^[^\n]*--colour[^\n]*--help[^\n]*\n$/);
  });
});
