import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { bankConsole } from '../../api/console/console.ts';
import { BankMoves } from '../../api/console/clock/moves.ts';
import { ConsoleSessions } from '../../api/console/sessions.ts';
import { bankCalls } from '../../api/control/bank-calls.ts';
import { controlEndpoint } from '../../api/control/control-endpoint.ts';
import { advance } from '../../api/control/clock/clock.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { ArmedFaults } from '../../api/pipeline/armed-faults.ts';
import { oneAtATime, type Turn } from '../../api/pipeline/one-at-a-time.ts';
import { ThrowAwayTpps } from '../../api/signing/test-tpp.ts';
import { readConfig } from '../../api/start/config.ts';
import { sandboxCaFor } from '../../api/start/trusted-cas.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';

const to = '2027-03-30T05:30:00.000+02:00';
const from = '2027-03-24T12:00:00.000+01:00';
let server: Server;
let turn: Turn;
let limits: { copies: number; ledger: number };
let logged: string[];
/** What the advance waits for before it begins. */
let gate: PromiseWithResolvers<null>;

/** A bank in the list of the server. */
function listed(name: string) {
  const origin = { now: at(from), mode: 'frozen' as const, profile: null };
  const addresses = { interface: `/banks/${name}/v1`, control: `/banks/${name}/sandbox` };
  return {
    name,
    ...addresses,
    fixtures: 'known-state',
    quirks: [],
    clock: null,
    bytes: null,
    origin,
    damage: null,
  };
}

/** The console of a bank whose advance begins when the gate opens. */
beforeEach(async () => {
  gate = Promise.withResolvers<null>();
  logged = [];
  const bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const slow = {
    ...advance,
    handle: async (call: Parameters<typeof advance.handle>[0]) => {
      await gate.promise;
      return advance.handle(call);
    },
  };
  /** Banks whose clocks move when the gate opens. */
  const banks = [
    controlEndpoint('GET /banks', {
      ...bankCalls['GET /banks'],
      handle: () => Promise.resolve({ banks: [listed('default'), listed('one')] }),
    }),
    controlEndpoint('POST /banks/clock/advance', {
      ...bankCalls['POST /banks/clock/advance'],
      handle: async (call) => {
        await gate.promise;
        call.readBody();
        return { to: at(to), banks: [] };
      },
    }),
  ];
  limits = { copies: 64 * 1024 * 1024, ledger: 64 * 1024 * 1024 };
  turn = oneAtATime(() => undefined);
  const sandboxCa = sandboxCaFor(':memory:');
  const app = express();
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  app.use(
    '/console',
    bankConsole({
      bank,
      config: readConfig({}, []),
      base: '',
      address: 'http://127.0.0.1',
      faults: new ArmedFaults(new AbortController().signal),
      sandboxCa,
      tpps: new ThrowAwayTpps(sandboxCa),
      turn,
      moves: new BankMoves({ bank, turn, catchUp: () => Promise.resolve() }, limits),
      judge: () => Promise.reject(new Error('no interface')),
      atDoor: () => Promise.reject(new Error('no interface')),
      endpoints: [...ofEveryBank.map((each) => (each === advance ? slow : each)), ...banks],
      sessions: new ConsoleSessions(null),
      log,
    }),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  gate.resolve(null);
  server.closeAllConnections();
  server.close();
});

async function move(): Promise<{ client: ConsoleClient; sent: Answered; look: () => Promise<Answered> }> {
  const client = new ConsoleClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const fields = {
    'form-token': hidden(await client.get('/console/forecast'), 'form-token'),
    'came-from': '/forecast',
    from,
    to,
  };
  const sent = await client.post('/console/clock/advance', fields);
  return { client, sent, look: () => client.follow('/console/clock/advance', sent) };
}

async function lookUntil(look: () => Promise<Answered>, text: string): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const page = await look();
    if (page.text.includes(text)) return page.text;
    await delay(20);
  }
  throw new Error(`the page does not come to say: ${text}`);
}

test('a long advance does not hold the page: it says how far the bank is, and what came of it in the end', async () => {
  const { sent, look } = await move();
  expect(sent.status).toBe(303);
  const waiting = await look();
  expect(waiting.text).toContain('The clock is on its way to Tue 30 Mar 2027, 05:30.');
  expect(waiting.text).toContain('<h2>On the way to Tue 30 Mar 2027, 05:30</h2>');
  // Without scripts the page asks again by itself; the script looks for the mark.
  expect(waiting.text).toMatch(/<noscript>\s*<meta http-equiv="refresh" content="2" \/>/);
  expect(waiting.text).toContain('data-going');
  gate.resolve(null);
  const there = await lookUntil(look, 'The bank is at Tue 30 Mar 2027, 05:30:');
  expect(there).toContain('<h2>What happened until Tue 30 Mar 2027, 05:30</h2>');
  expect(there).not.toContain('http-equiv="refresh"');
  expect(there).not.toContain('data-going');
});

test('C31: a long move has a bar with the date of the bank, and Stop ends it between two runs', async () => {
  const { client, look } = await move();
  const waiting = (await look()).text;
  expect(waiting).toMatch(/Wed 24 Mar 2027 <progress max="\d+" value="0">/);
  const path = '/console/clock/stop';
  const token = hidden(await client.get('/console/forecast'), 'form-token');
  const stopped = await client.post(path, { 'form-token': token, 'came-from': '/forecast' });
  expect((await client.follow(path, stopped)).text).toContain('The clock stops after the run that is under way.');
  gate.resolve(null);
  const there = await lookUntil(look, ': no run had a payment.');
  expect(there).toContain('The bank is at Wed 24 Mar 2027');
  expect(there).not.toContain('<progress');
  // The next move is not stopped.
  expect((await (await move()).look()).text).toContain('The bank is at Tue 30 Mar 2027, 05:30:');
});

test('a long advance that fails unexpectedly says so on its page, and leaves a line in the log', async () => {
  const { look } = await move();
  gate.reject(new Error('the disk is gone'));
  const failed = await lookUntil(look, 'role="alert"');
  expect(failed).toContain('The bank failed. Its log has the reason.');
  expect(failed).not.toContain('the disk is gone');
  expect(logged.join()).toContain('the disk is gone');
});

test('C15: a long move that is refused keeps what was entered in its form until one is accepted, however long it takes', async () => {
  const client = new ConsoleClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const form = async () => (await client.get('/console/banks')).text;
  const token = hidden(await client.get('/console/banks'), 'form-token');
  const path = '/console/banks/clock/advance';
  const sendSlowly = async (target: string, outcome: string): Promise<void> => {
    gate = Promise.withResolvers<null>();
    const sent = await client.post(path, { 'form-token': token, 'came-from': '/banks', to: target, by: '' });
    expect((await client.follow(path, sent)).text).toContain('The banks are moving.');
    gate.resolve(null);
    await lookUntil(() => client.follow(path, sent), outcome);
  };
  await sendSlowly('some day', 'role="alert"');
  expect(await form()).toContain('value="some day"');
  await sendSlowly(to, '0 banks are at');
  expect(await form()).not.toContain('value="some day"');
});

test('while another call moves the clock the form is refused in words, and can be sent again', async () => {
  gate.resolve(null);
  const other = Promise.withResolvers<null>();
  const moving = turn.runExclusive(() => other.promise);
  const { look } = await move();
  const busy = (await look()).text;
  expect(busy).toContain('role="alert"');
  expect(busy).toContain('Another call is moving the clock or resetting the ledger. Wait for its answer.');
  other.resolve(null);
  await moving;
  expect((await (await move()).look()).text).toContain('The bank is at Tue 30 Mar 2027, 05:30:');
});

test('C8: where the ledger is too large for an Undo, each move is shown before, and says so', async () => {
  const client = new ConsoleClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  limits.ledger = 1;
  const page = (await client.get('/console/forecast')).text;
  expect(page).toMatch(
    /The ledger has \d+ MB, and up to 1 MB are copied: this move cannot be undone. Keep a snapshot first\./,
  );
  const [bar = ''] = /<section class="clock"[^]*?<\/section>/.exec(page) ?? [];
  expect(bar).toMatch(/<a class="button" href="[^"]*console\/forecast\?to=[^"]+">\+1 run<\/a>/);
  expect(bar).not.toContain('Undo');
});
