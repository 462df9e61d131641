import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { program } from '../../support/program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

// The process stands still as on a busy machine: for longer than the second, while it uses no processor time.
test('C7: a pattern that tries too many ways is another one than one that a busy machine keeps waiting', async () => {
  const program = `
    import { boundedMatch } from ${JSON.stringify(new URL('../../../api/catalogue/step-values.ts', import.meta.url).href)};
    const text = 'a'.repeat(30_000);
    console.log('begins');
    for (let end = process.cpuUsage().user + 400_000; process.cpuUsage().user < end; ) boundedMatch('a+b', text);
    console.log('all have matched');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  await setTimeout(1_200);
  child.kill('SIGCONT');
  await once(child, 'close');
  expect(said).toBe('begins\nall have matched\n');
}, 30_000);

test('C7: a pattern that tries too many ways does not keep SIGTERM from ending it', async () => {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
  const { says } = (JSON.parse(text) as { steps: { says: string }[] }).steps[0] ?? { says: '' };
  const step = { says, method: 'GET', path: '/sandbox/info', shows: [] };
  const endless = { ...step, expect: { status: 200, matches: { version: '^(.+)+\\u0000$' } } };
  const path = join(folder, 'mine.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(text) as object), steps: [endless], ends: 'x' }));
  const child = spawn(process.execPath, [program, 'play', path], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  // Its output stays open, as a reader that leaves would end it too.
  let said = '';
  await new Promise<void>((shown) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('/sandbox/info')) shown();
    });
    child.stdout.once('end', shown);
  });
  expect(said).toContain('/sandbox/info');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  expect(code ?? signal).not.toBe(0);
}, 30_000);
