import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { contentOf, forged, taken, type TakenBundle } from '../../lab/forged-bundle.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { program } from '../../support/program.ts';
import { startTestBank } from '../../lab/server.ts';
import { sample } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const mb = 1024 * 1024;
const folder = tempFolder();
const peakFile = join(folder, 'peak');
/** Loaded before the program: leaves the most memory that it had, in KB. `maxRSS` is no less than that of the process which started it. */
const hook = join(folder, 'peak.cjs');
let good: TakenBundle;
beforeAll(async () => {
  const [from, to] = ['/proc/self/status', peakFile].map((path) => JSON.stringify(path));
  const peak = `/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync(${from}, 'utf8'))[1]`;
  writeFileSync(hook, `const fs = require('node:fs');\nprocess.on('exit', () => fs.writeFileSync(${to}, ${peak}));\n`);
  const server = await startTestBank('2027-03-24T12:00:00+01:00');
  good = taken(Buffer.from(await (await fetch(`${server.address}/sandbox/bundle`)).arrayBuffer()));
  await server.stop();
});

const around = { key: 'k', at: null, wall: 0, method: 'GET', target: '/v1/users', rawHeaders: [], packet: null };
const entry = { ...around, status: 200, isDelivered: true, answer: null, facts: {}, touched: [], beforeReset: false };
const body = { latin1: '\u00ff'.repeat(32_000), length: 32_000 };

type Case = readonly [what: string, came: 'refused' | 'opened', content: () => Buffer];

const small: Case = ['a small bank', 'opened', () => contentOf(good.json, good.ledger)];
const large: readonly Case[] = [
  [
    'a small bank with a journal of 16 MB',
    'opened',
    () => contentOf({ ...good.json, requests: Array(490).fill({ ...entry, body }) }, good.ledger),
  ],
  ['352 MB of zeros', 'refused', () => Buffer.alloc(352 * mb)],
  ['a ledger of 320 MB of zeros', 'refused', () => contentOf(good.json, Buffer.alloc(320 * mb))],
  [
    'a ledger with 300 MB of zeros behind it',
    'refused',
    () => contentOf(good.json, Buffer.concat([good.ledger, Buffer.alloc(300 * mb)])),
  ],
  ['32 MB of empty lists', 'refused', () => contentOf(`[${'[],'.repeat(11 * mb)}[]]`, good.ledger)],
  [
    'as many wrong requests as fit',
    'refused',
    () => contentOf({ ...good.json, requests: Array(240_000).fill(1) }, good.ledger),
  ],
  [
    'as many wrong customers as fit',
    'refused',
    () => contentOf({ ...good.json, knownState: { customers: Array(120_000).fill({}), agreements: [] } }, good.ledger),
  ],
  ['a text of 32 MB', 'refused', () => contentOf({ ...good.json, more: 'Ω'.repeat(15 * mb) }, good.ledger)],
];

// A large one takes seconds: one in three in each run.
test.each<Case>([small, ...sample('bundle memory', large, 3)])(
  'B2: %s takes at most 400 MB in all, and is %s',
  async (_what, came, content) => {
    const file = join(folder, 'x.sandbank');
    writeFileSync(file, forged(content(), { version: good.head[2] ?? '' }));
    const env = { ...process.env, NODE_OPTIONS: `--require=${hook}` };
    const child = spawn(process.execPath, [program, 'open', file], { env });
    const exit = once(child, 'exit');
    if (came === 'opened') {
      const address = await greetedAddress(child.stdout);
      expect((await fetch(`${address}/console/requests`)).status).toBe(200);
      child.kill('SIGINT');
    }
    expect(await exit).toEqual([came === 'opened' ? 0 : 2, null]);
    const peak = Number(readFileSync(peakFile, 'utf8')) / 1024;
    expect(peak).toBeGreaterThan(40);
    expect(peak).toBeLessThan(400);
  },
  60_000,
);
