import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../api/catalogue/catalogue.ts';
import { playScenario, type StepRequest } from '../../../api/catalogue/play-scenario.ts';
import { bankOf } from '../../../api/catalogue/scenario.ts';
import { compileCache } from '../../support/kept.ts';
import { someOf } from '../../support/sample.ts';
import { type Answered, sendAll, type SentRequest, type ToOpen } from './open-bundles.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

/** Scenarios whose banks differ: what they pay, read, sign, refuse, and when. */
const different = [
  'after-the-last-run',
  'before-the-holiday',
  'bulk-part',
  'cancel',
  'cards',
  'christmas-eve',
  'consent-lapsed',
  'corporate',
  'cross-border',
  'easter',
  'expired-sca',
  'five-attempts',
  'month-end',
  'reservation',
  'sepa',
  'signing-basket',
  'straks',
  'transactions',
  'two-signers',
  'wrong-requests',
];
/** Lives go on in it: what is reserved when it is saved is booked, or lapses, as it would have. */
const lived = 'reservation';
/** Those whose clock runs when they are saved. */
const running = ['cards', 'month-end'];
/** Those that this run saves. */
const names = [...new Set([lived, ...running, 'wrong-requests', ...someOf('bundles', different, 4)])];

/** A bank that was saved, and the answers that it gave afterwards. */
interface Saved {
  readonly name: string;
  readonly toOpen: ToOpen;
  readonly answers: readonly Answered[];
}

let server: TestBank;
let folder: string;
const saved: Saved[] = [];
let opened: readonly Answered[][] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-bundles-'));
  mkdirSync(join(folder, 'elsewhere'));
  server = await startTestBank('2031-06-06T12:00:00+02:00');
  for (const name of names) saved.push(await save(name));
  opened = await openElsewhere(saved.map(({ toOpen }) => toOpen));
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function save(name: string): Promise<Saved> {
  const scenario = catalogue().find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const address = `${server.address}/banks/${name}`;
  await server.control('POST', '/sandbox/banks', { name, ...bankOf(scenario) });
  const played: StepRequest[] = [];
  for await (const { request } of playScenario(scenario, { address, token: null }, new Map())) played.push(request);
  const isRunning = running.includes(name);
  if (isRunning) await server.control('PUT', `/banks/${name}/sandbox/clock`, { mode: 'running' });
  const answer = await fetch(`${address}/sandbox/bundle`);
  expect(answer.headers.get('content-type')).toBe('application/vnd.sandbank.bundle');
  const file = join(folder, `${name}.sandbank`);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const toInterface = played.filter(({ url }) => url.pathname.includes('/v1/'));
  const last = (isWanted: (request: StepRequest) => boolean) => toInterface.filter(isWanted).slice(-2);
  const requests = [
    control('/requests?limit=500'),
    control('/requests?path=/v1'),
    control('/payments?limit=500'),
    control('/accounts'),
    control('/sca'),
    control('/faults'),
    control('/ledger/proof'),
    ...(name === lived ? goesOn : []),
    ...[...last(({ method }) => method === 'GET'), ...last(({ method }) => method !== 'GET')].map((request, index) =>
      again(request, address, `00000000-0000-4000-8000-00000000000${index}`),
    ),
  ];
  // The hash of a running clock has no time; the opened one is frozen until it is told to run. Its open SCAs have other ids.
  const run = { method: 'PUT', target: '/sandbox/clock', headers: json, body: '{"mode":"running"}' };
  const toOpen = { file, requests: [...(isRunning ? [run] : []), control('/ledger/hash?ids=left-out'), ...requests] };
  return { name, toOpen, answers: await sendAll(address, toOpen.requests) };
}

const json = { 'content-type': 'application/json' };

function control(path: string): SentRequest {
  return { method: 'GET', target: `/sandbox${path}`, headers: {}, body: '' };
}

const goesOn = [
  { method: 'POST', target: '/sandbox/clock/advance', headers: json, body: '{"to":"2027-04-13T00:00:00+02:00"}' },
  control('/accounts/09232911044'),
  // Each process draws the ids of what begins now.
  control('/ledger/hash?ids=left-out'),
];

/** A request of a scenario once more, under an id of its own. */
function again({ method, url, headers, body }: StepRequest, address: string, requestId: string): SentRequest {
  const target = url.href.slice(address.length);
  return { method, target, headers: { ...headers, 'x-request-id': requestId }, body: body.toString() };
}

/** Opens the bundles in another process, in another folder. */
async function openElsewhere(bundles: readonly ToOpen[]): Promise<Answered[][]> {
  const program = resolve('tests/full/hosting/open-bundles.ts');
  const child = spawn(process.execPath, [program], {
    cwd: join(folder, 'elsewhere'),
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...compileCache },
  });
  child.stdin.end(JSON.stringify(bundles));
  return JSON.parse(await text(child.stdout)) as Answered[][];
}

/** Without the ids that each bank draws for what it makes. */
function withoutDrawn({ status, body }: Answered): Answered {
  return {
    status,
    body: body
      .replace(/enc!![\w-]+=*/g, 'ID')
      .replace(/(\/sca\/)[\w-]{20,}/g, '$1ID')
      .replace(/"id":"[\w-]{32}"/g, '"id":"ID"'),
  };
}

describe('a bundle, opened by another process in another folder', () => {
  test('each is of under 1 MB', () => {
    for (const { toOpen } of saved) expect(statSync(toOpen.file).size).toBeLessThan(200_000);
  });

  test.each(names.map((name, index) => [name, index] as const))(
    '%s: the same content hash, the same answers to the same requests',
    (_name, index) => {
      const answers = saved[index]?.answers ?? [];
      const { requests = [] } = saved[index]?.toOpen ?? {};
      expect(answers.length).toBeGreaterThanOrEqual(8);
      for (const [at, answer] of answers.entries()) {
        const request = requests[at];
        // A clock that was told to run shows another time.
        if (request?.target === '/sandbox/clock') continue;
        const other = opened[index]?.[at] ?? { status: 0, body: '' };
        expect([request?.target, withoutDrawn(other)]).toEqual([request?.target, withoutDrawn(answer)]);
      }
    },
  );

  test('the requests were answered, some with what they asked for and some with a refusal', () => {
    const statuses = new Set(saved.flatMap(({ answers }) => answers.map(({ status }) => status)));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400]));
    for (const { name, answers, toOpen } of saved) {
      const at = toOpen.requests.findIndex(({ target }) => target.startsWith('/sandbox/requests'));
      const { requests } = JSON.parse(answers[at]?.body ?? '{}') as { requests: unknown[] };
      expect([name, requests.length > 0]).toEqual([name, true]);
    }
  });
});
