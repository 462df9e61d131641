import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect } from '@jest/globals';
import { did } from '../../lab/server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testBank } from '../../support/test-bank.ts';
import { hasProgram, testWith } from '../../support/test-with.ts';

/* rules.md T1d: programs under libfaketime have the time of the bank (docs/one-clock.md). */

const [library = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const withFaketime = testWith(library !== '', 'libfaketime');
const withPython = testWith(library !== '' && hasProgram('python3'), 'libfaketime and python3');

const start = '2027-03-24T12:00:00.250+01:00';
const file = join(tempFolder(), 'faketime');
const bank = testBank(start, [`--faketime-file=${file}`, '--follow-clock=1']);
const put = (body: object) => did(bank.control('PUT', '/sandbox/clock', body));

/** As docs/one-clock.md has it. */
const underBank = {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_FMT: '%s',
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};

function said(program: string, args: readonly string[], zone = 'UTC'): string {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: zone, ...underBank };
  return execFileSync(program, args, { env, encoding: 'utf8' }).trim();
}

const zones = ['UTC', 'America/New_York', 'Asia/Kolkata'];

/** What `date` shows in these zones, in ms. */
const shownBy = (zone: string): number => Number(said('date', ['+%s%3N'], zone));

describe('T1d: a program that starts under it', () => {
  withFaketime('a frozen clock: its instant, in every time zone; after a move the next program too', async () => {
    expect(zones.map(shownBy)).toEqual(zones.map(() => Date.parse(start)));
    await did(bank.control('POST', '/sandbox/clock/advance', { to: '2027-03-28T04:00:00+02:00' }));
    expect(zones.map(shownBy)).toEqual(zones.map(() => Date.parse('2027-03-28T04:00:00+02:00')));
    await did(bank.control('POST', '/sandbox/reset'));
    expect(shownBy('UTC')).toBe(Date.parse(start));
  });

  withFaketime('a running clock: the time of the bank, never before it', async () => {
    await put({ mode: 'running' });
    for (const zone of zones) {
      const before = bank.bank.security.now();
      const ahead = shownBy(zone) - before;
      expect([zone, ahead >= -1, ahead < 20_000]).toEqual([zone, true, true]);
    }
    await put({ mode: 'frozen' });
    await did(bank.control('POST', '/sandbox/reset'));
  });

  withPython('Python: its date and its time', async () => {
    const program = 'import datetime, time; print(datetime.date.today(), round(time.time() * 1000))';
    expect(said('python3', ['-c', program])).toBe(`2027-03-24 ${Date.parse(start)}`);
  });
});

describe('T1d: a program that goes on', () => {
  withFaketime('Node sees each move as soon as it is answered, and its timers still run', async () => {
    const program = `require('node:readline').createInterface(process.stdin).on('line', () =>
      setTimeout(() => console.log(Date.now()), 5));`;
    const child = spawn(process.execPath, ['-e', program], { env: underBank, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const now = async (): Promise<number> => {
      child.stdin.write('\n');
      return Number((await lines.next()).value);
    };
    const seen = [await now()];
    for (const by of ['PT1S', 'P3D', 'P1Y']) {
      const { body } = await did(bank.control('POST', '/sandbox/clock/advance', { by }));
      expect([by, await now()]).toEqual([by, Date.parse(body.to)]);
    }
    await did(bank.control('POST', '/sandbox/reset'));
    seen.push(await now());
    expect(seen).toEqual([Date.parse(start), Date.parse(start)]);
    child.stdin.end();
    await once(child, 'exit');
  });
});
