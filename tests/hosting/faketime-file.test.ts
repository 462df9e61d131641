import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { systemClock, type WallClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { did, startTestBank, type TestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* rules.md T1d: the file that tells libfaketime the time of the bank. tests/full/processes/libfaketime.test.ts has programs that read it. */

const start = '2031-04-09T10:00:00+02:00';
const folder = tempFolder();
let count = 0;
let bank: TestBank;
afterEach(() => bank.stop());

/** A bank with a file of its own. */
async function begun(...[flags = [], options = {}]: readonly [string[]?, Parameters<typeof startTestBank>[2]?]) {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  const file = join(own, 'faketime');
  bank = await startTestBank(start, [`--faketime-file=${file}`, ...flags], options);
  return { own, file, said: () => readFileSync(file, 'utf8') };
}

const seconds = (text: string): string => `${(Date.parse(text) / 1000).toFixed(3)}\n`;
const put = (body: object) => did(bank.control('PUT', '/sandbox/clock', body));

describe('T1d: a frozen clock is its instant, in seconds since 1970', () => {
  test('before the answer of each move, on the way of a long one, and in no half file', async () => {
    const { own, said } = await begun();
    expect(said()).toBe(seconds(start));
    await did(bank.control('POST', '/sandbox/clock/advance', { by: 'P3D' }));
    expect(said()).toBe(seconds('2031-04-12T10:00:00+02:00'));
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'kept' }));
    await put({ now: '2031-04-20T00:00:00.250+02:00' });
    expect(said()).toBe(seconds('2031-04-20T00:00:00.250+02:00'));
    await did(bank.control('POST', '/sandbox/snapshots/kept/restore'));
    expect(said()).toBe(seconds('2031-04-12T10:00:00+02:00'));
    await did(bank.control('POST', '/sandbox/reset'));
    expect(said()).toBe(seconds(start));
    await put({ now: '1995-01-02' });
    expect(said()).toBe(seconds('1995-01-02T00:00:00+01:00'));
    expect(readdirSync(own)).toEqual(['faketime']);
  });

  test('a forecast and a named bank write nothing', async () => {
    const { said } = await begun();
    await did(bank.control('GET', '/sandbox/forecast?to=2031-05-01'));
    await did(bank.control('POST', '/sandbox/banks', { name: 'other', now: '2040-01-02' }));
    await did(bank.control('POST', '/sandbox/banks/clock/advance', { to: '2041-01-02' }));
    expect(said()).toBe(seconds(start));
  });
});

describe('T1d: a running clock is its offset to the wall clock', () => {
  /** Of the file, in seconds. */
  const offsetIn = (text: string): number => {
    expect(text).toMatch(/^[+-]\d+\.\d\n$/);
    return Number(text);
  };

  test('ahead and back; no earlier than the bank', async () => {
    const { said } = await begun(['--clock-mode=running']);
    const isAt = (now: string): void => {
      const ahead = offsetIn(said()) * 1000 + Date.now() - Date.parse(now);
      expect([ahead > -5, ahead < 5_000]).toEqual([true, true]);
    };
    isAt(start);
    await put({ now: '2026-01-02' });
    isAt('2026-01-02T00:00:00+01:00');
    await put({ now: '2031-04-11' });
    isAt('2031-04-11T00:00:00+02:00');
  });

  test('at a rate it is written anew by and by, and when the wall clock was set', async () => {
    let ahead = 0;
    const wall: WallClock = { ...systemClock, now: () => (systemClock.now() + ahead) as Instant };
    const { said } = await begun([], { wall, heartbeat: 20 });
    await put({ mode: 'running', rate: 1_000 });
    const first = offsetIn(said());
    await new Promise((resolve) => setTimeout(resolve, 300));
    const later = offsetIn(said());
    expect([later - first > 100, later - first < 5_000]).toEqual([true, true]);
    await put({ rate: 1 });
    const steady = offsetIn(said());
    ahead = -3_600_000;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(Math.abs(offsetIn(said()) - steady - 3_600)).toBeLessThan(1);
  });
});

describe('T1d: a file that cannot be written', () => {
  test('at the start: one line', async () => {
    const { own } = await begun();
    const file = join(folder, 'none', 'faketime');
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    for (const [name, flags, env] of [
      ['--faketime-file', [`--faketime-file=${file}`], {}],
      ['SANDBANK_FAKETIME_FILE', [], { SANDBANK_FAKETIME_FILE: file }],
    ] as const) {
      await expect(startTestBank(start, flags, { log, env })).rejects.toThrow(
        new RegExp(`^${name} is "${file}": it cannot be written, there is no such file or folder$`),
      );
    }
    expect(lines).toEqual([]);
    await expect(startTestBank(start, [`--faketime-file=${own}`])).rejects.toThrow(
      /it cannot be written, .* is not replaced: it is a folder$/,
    );
  });

  test('later: /ready and one line of the log say so, moves go on, and it comes back', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const { own, file, said } = await begun([], { log, heartbeat: 20 });
    rmSync(own, { recursive: true });
    for (const by of ['P1D', 'P2D']) await did(bank.control('POST', '/sandbox/clock/advance', { by }));
    const ready = await bank.raw('GET', '/ready');
    const detail = `--faketime-file is "${file}": it cannot be written, there is no such file or folder`;
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', detail }]);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `${detail}: programs that follow it stay at the time before`,
    ]);
    mkdirSync(own);
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said()).toBe(seconds('2031-04-12T10:00:00+02:00'));
    expect((await bank.raw('GET', '/ready')).body).toEqual({ status: 'ready' });
  });
});
