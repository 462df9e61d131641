import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { builtDist } from '../package/built.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/* followClock under node:test, whose fake timers tell nobody when they are due. */

const folder = tempFolder();
const harness = join(await builtDist(), 'api/harness/index.mjs');

/** What a program prints that node:test runs as a test with a bank whose clock is followed. */
async function printed(body: string): Promise<readonly string[]> {
  const file = join(folder, 'program.mjs');
  writeFileSync(
    file,
    `import { mock, test } from 'node:test';
    import { createBank, followClock } from '${harness}';
    const tell = (name) => console.log(name, new Date().toISOString());
    test('time goes on', async () => {
      const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
      ${body}
      mock.timers.reset();
      await bank.close();
    });`,
  );
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  expect([await once(child, 'close'), said]).toEqual([[0, null], expect.anything()]);
  return said.split('\n').flatMap((line) => /^# (\w+ \d{4}-.*)/.exec(line)?.[1] ?? []);
}

test('T1e: the bank stops at each timer, so that a poll finds it at its time, and what a timer sets is due on the way too', async () => {
  const lines = await printed(`
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
    await followClock(bank, mock.timers);
    const paid = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '1.00' });
    const never = setTimeout(() => tell('cleared'), 3_600_000);
    clearTimeout(never);
    const polling = setInterval(async () => {
      const { status } = await bank.payments(paid);
      if (status !== 'ACSC') return;
      clearInterval(polling);
      tell('settled');
      setTimeout((name) => tell(name), 7_200_000, 'reminder');
    }, 1_200_000);
    await bank.clock.advance('P1D');
    tell('end');`);
  expect(lines).toEqual([
    'settled 2027-03-24T12:40:00.000Z',
    'reminder 2027-03-24T14:40:00.000Z',
    'end 2027-03-25T11:00:00.000Z',
  ]);
}, 60_000);

test('T1e: real timers stay real, a timer that refresh() moves stops nothing, and a test can follow again after a reset', async () => {
  const lines = await printed(`
    mock.timers.enable({ apis: ['Date'] });
    await followClock(bank, mock.timers);
    const real = setInterval(() => tell('real'), 86_400_000);
    await bank.clock.advance('P1D');
    clearInterval(real);
    tell('first');
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    await followClock(bank, mock.timers);
    const moved = setTimeout(() => tell('moved'), 3_600_000);
    await bank.clock.advance('PT30M');
    moved.refresh?.();
    await bank.clock.advance('PT2H');
    tell('second');`);
  expect(lines).toEqual([
    'first 2027-03-25T11:00:00.000Z',
    expect.stringMatching(/^moved 2027-03-25T1[23]:\d0:00\.000Z$/),
    'second 2027-03-25T13:30:00.000Z',
  ]);
}, 60_000);
