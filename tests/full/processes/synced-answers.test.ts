import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { canTrace, traceWrites } from '../../lab/strace.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { accounts, nora, productPath } from '../../lab/products.ts';
import { compileCache } from '../../support/kept.ts';
import { program } from '../../support/program.ts';
import { testWith } from '../../support/test-with.ts';
import { BankClient } from '../../lab/server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

/* Before an answer's bytes leave, the log has its payment, and with `full` is synced (docs/decisions/0030), as the kernel sees it. */

/**
 * `unwritten`: the payments whose answers left before a log had their ids; `early`: before a sync of such a log. And how many answers and syncs
 * there were.
 */
function readTrace(trace: string): { unwritten: string[]; early: string[]; answers: number; syncs: number } {
  const written = new Set<string>();
  const synced = new Set<string>();
  const unwritten: string[] = [];
  const early: string[] = [];
  let answers = 0;
  let syncs = 0;
  for (const line of trace.split('\n')) {
    const [, call = '', file = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(line) ?? [];
    const ids = line.match(/enc!![\w-]{42}==?/g) ?? [];
    if (call === 'pwrite64' && file.endsWith('-wal')) for (const id of ids) written.add(id);
    if (/^f(data)?sync$/.test(call) && file.endsWith('-wal') && line.endsWith('= 0')) {
      for (const id of written) synced.add(id);
      syncs += 1;
    }
    if (!line.includes('HTTP/1.1 201')) continue;
    answers += 1;
    const paymentId = /paymentId\\":\\"(enc!![\w=-]+)/.exec(line)?.[1] ?? 'no payment';
    if (!written.has(paymentId)) unwritten.push(paymentId);
    if (!synced.has(paymentId)) early.push(paymentId);
  }
  return { unwritten, early, answers, syncs };
}

testWith(await canTrace(), 'strace').each(['normal', 'full'])(
  'B4: with --durability %s payments sent at once share a commit, and none is answered before it',
  async (durability) => {
    const flags = [
      '--port',
      '0',
      '--ledger',
      join(folder, 'ledger.sqlite'),
      '--log-level',
      'silent',
      '--durability',
      durability,
    ];
    const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const child = spawn(process.execPath, [program, ...flags, ...clock], { env: compileCache, stdio });
    try {
      const client = new BankClient(await greetedAddress(child.stdout));
      const pay = (): Promise<number> => {
        const body = {
          instructedAmount: { amount: '10.00', currency: 'NOK' },
          creditorName: 'Even',
          creditorAccount: accounts.evenNok,
          debtorAccount: accounts.noraNok,
        };
        const headers = { 'x-request-id': randomUUID(), 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
        const sent = client.signed('POST', `${productPath('domestic')}?allowLogicalDuplicate=true`, { body, headers });
        return sent.then(({ status }) => status);
      };
      // Opens the connections.
      await Promise.all(Array.from({ length: 16 }, pay));
      const trace = await traceWrites(child.pid ?? 0);
      if (trace === null) throw new Error('strace did not attach');
      for (let burst = 0; burst < 4; burst += 1) {
        const statuses = await Promise.all(Array.from({ length: 16 }, pay));
        expect(statuses).toEqual(statuses.map(() => 201));
      }
      const { unwritten, early, answers, syncs } = readTrace(await trace.stop());
      expect([unwritten, answers]).toEqual([[], 64]);
      if (durability === 'normal') return expect(syncs).toBe(0);
      expect(early).toEqual([]);
      expect(syncs).toBeGreaterThan(0);
      expect(syncs).toBeLessThan(64);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
  60_000,
);

test('the reader of the trace sees an answer before its write or its sync', () => {
  const id = `enc!!${'a'.repeat(42)}==`;
  const write = `pwrite64(20</tmp/l.sqlite-wal>, "..${id}..", 8192, 32) = 8192`;
  const sync = 'fdatasync(20</tmp/l.sqlite-wal>) = 0';
  const answer = `write(25<socket:[1]>, "HTTP/1.1 201 Created\\r\\n\\r\\n{\\"paymentId\\":\\"${id}\\"}", 300) = 300`;
  const early = (...lines: string[]): string[] => readTrace(lines.join('\n')).early;
  const unwritten = (...lines: string[]): string[] => readTrace(lines.join('\n')).unwritten;
  expect([unwritten(write, answer), unwritten(answer, write)]).toEqual([[], [id]]);
  expect(early(write, sync, answer)).toEqual([]);
  expect([early(write, answer, sync), early(answer, write, sync), early(sync, write, answer)]).toEqual([
    [id],
    [id],
    [id],
  ]);
  expect(early(write, sync.replace('fdatasync', 'fsync'), answer)).toEqual([]);
  expect(early(write, sync.replace('= 0', '= -1 EIO'), answer)).toEqual([id]);
});
