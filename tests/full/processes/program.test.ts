import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { program } from '../../support/program.ts';
import { testBank } from '../../support/test-bank.ts';

const run = promisify(execFile);
const bank = testBank('2027-03-24T12:00:00+01:00');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a process of its own, which knows nothing but where the server is. */
async function sandbank(...args: string[]): Promise<Ended> {
  const env = { PORT: new URL(bank.address).port };
  try {
    return { code: 0, ...(await run(process.execPath, [program, ...args], { env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}

test('without a terminal the story is plain lines, and the program ends with its code', async () => {
  const { code, stdout, stderr } = await sandbank('advance', '--runs', '1');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    '0 runs with work, 1 without.\n' +
      'The bank clock went from 2027-03-24T12:00:00.000+01:00 to 2027-03-24T13:30:00.000+01:00.\n',
  );
});

/** Runs the program until its first line, after which nobody reads. */
async function readOneLine(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.once('data', (chunk: Buffer) => {
    said = chunk.toString();
    child.stdout.destroy();
  });
  const [code] = await once(child, 'exit');
  return { code, said, errors };
}

test.each([
  [['demo'], 'A first payment'],
  [['help'], 'usage: '],
  [['next-dates', '--start', '2027-01-31', '--frequency', 'Daily', '--count', '3000'], 'Occurrences: 3000'],
])(
  '%j whose reader leaves after the first line ends silently',
  async (args, start) => {
    const { code, said, errors } = await readOneLine(
      args,
      args[0] === 'next-dates' ? { BANK: bank.address } : { PORT: '1' },
    );
    expect([code, said.startsWith(start), errors]).toEqual([0, true, '']);
  },
  30_000,
);

(existsSync('/dev/full') ? test : test.skip)('output that the disk has no room for is told in one line', async () => {
  const words = ['-c', '"$0" "$@" > /dev/full', process.execPath, program, 'accounts'];
  await expect(run('sh', words, { env: { BANK: bank.address } })).rejects.toMatchObject({
    code: 1,
    stderr: 'the output cannot be written: the disk is full\n',
  });
});

test('play whose reader leaves after the first line ends silently, and leaves no bank in the server', async () => {
  const { code, said, errors } = await readOneLine(['play', 'easter'], { BANK: bank.address });
  expect([code, said.startsWith('A payment on Good Friday'), errors]).toEqual([0, true, '']);
  const { banks } = (await bank.control('GET', '/sandbox/banks')).body;
  expect(banks.map(({ name }: { name: string }) => name)).toEqual(['default']);
}, 30_000);
