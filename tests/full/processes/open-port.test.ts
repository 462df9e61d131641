import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { builtDist } from '../package/built.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const harness = join(await builtDist(), 'api/harness/index.mjs');

/** A program that opens a bank with a port and leaves it open. Returns its process, as it is without the runner of this test. */
function start(name: string, text: string, flags: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const file = join(folder, name);
  writeFileSync(
    file,
    `import { test } from 'node:test';
    import { createBank } from '${harness}';
    ${text}`,
  );
  const { JEST_WORKER_ID: _worker, NODE_TEST_CONTEXT: _context, VITEST: _vitest, ...env } = process.env;
  return spawn(process.execPath, [...flags, file], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
}

const leaves = `
  const bank = await createBank({ port: 0 });
  await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '1.00' });
  await bank.reset();
  const { status } = await fetch(bank.url + '/ready');
  console.log('answered', status);`;

test.each([
  ['node --test', ['--test'], {}],
  ['jest', [], { JEST_WORKER_ID: '1' }],
  ['vitest', [], { VITEST: 'true' }],
])(
  'GA10: under %s a bank with a port keeps no process alive',
  async (runner, flags, env) => {
    const isNode = runner === 'node --test';
    const text = isNode
      ? `test('throws before its close', async () => { ${leaves} throw new Error('red'); });`
      : leaves;
    const child = start(`${runner.replaceAll(/\W/g, '')}.mjs`, text, flags, env);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    expect([await once(child, 'exit'), said]).toEqual([
      [isNode ? 1 : 0, null],
      expect.stringContaining('answered 200'),
    ]);
  },
  60_000,
);

test('GA10: elsewhere it does, as a script expects', async () => {
  const child = start('script.mjs', `${leaves} console.log('left open');`, []);
  let said = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    said += part as string;
    if (said.includes('left open')) break;
  }
  const ended = once(child, 'exit').then(() => 'ended');
  const waited = new Promise((done) => setTimeout(done, 500, 'runs'));
  expect(await Promise.race([ended, waited])).toBe('runs');
  child.kill();
  await ended;
}, 60_000);
