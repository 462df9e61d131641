import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tokenHeader } from '../pipeline/control-token.ts';
import { BankError } from './bank-error.ts';
import { bankSettings } from '../start/settings.ts';
import { takesBack, type TestBank, testBanks } from './failed-tests/test-banks.ts';
import { addressOf, connectTo, isOk, type Send, targetIn, type Control, controlOver, refusalIn } from './connect.ts';
import { defaultName, isBankName } from '../hosting/bank-name.ts';
import { savedBytes } from './copy.ts';
import { instantGiven, isPlain, isUrl, membersGiven, textGiven, wrongGiven } from './given.ts';
import { messageOf } from '../../engine/values/message-of.ts';
import { instantIn } from './follow-clock.ts';
import { harnessBank } from './harness-bank.ts';
import { tlsAdvice } from '../start/error-text.ts';
import type { Bank, ConnectBankOptions } from './types/index.ts';
import { Mistake } from '../../engine/values/mistake.ts';

const names = [
  'token',
  'ca',
  'name',
  'now',
  'mode',
  'fixtures',
  'from',
  'quirks',
  'profile',
  ...bankSettings.map(({ key }) => key),
];

/** The bank that connectBank returns. A test that closes it leaves it running. */
export async function connectOverHttp(address: string | URL, options: ConnectBankOptions): Promise<Bank> {
  membersGiven('connectBank', names, options);
  const { token, ca, name, ...settings } = options;
  const root = baseGiven(address);
  const send = withToken(connectTo(root, null, ca), token);
  if (name !== undefined) await makeBank(controlOver(send, root), root, { name, ...settings });
  else if (Object.keys(settings).length > 0)
    throw new Mistake(`connectBank takes ${Object.keys(settings).join(', ')} with name: a running bank has its own.`);
  const base = name === undefined ? root : new URL(`${addressOf(root)}/banks/${encodeURIComponent(name)}`);
  const control = controlOver(send, base);
  const { followClock } = (await reached(root, control('GET /info'))).configuration;
  const ofTest: TestBank = {
    bundle: async () => {
      const target = targetIn(base, '/sandbox/bundle');
      const answer = await send({ method: 'GET', target, headers: {}, body: Buffer.alloc(0) });
      if (isOk(answer)) return answer.body;
      throw refusalIn(target, answer);
    },
    end: () => Promise.resolve(),
  };
  testBanks()?.opened(ofTest);
  return harnessBank({
    base,
    isAlone: false,
    overHttp: async (outgoing) => {
      if (takesBack(outgoing.method, outgoing.target.split('?')[0] ?? '')) await testBanks()?.goesBack(ofTest);
      return send(outgoing);
    },
    follow: async (hear, failed) => {
      if (followClock) return eventsOf(base, { token, ca }, () => hear(null), failed);
      throw new Mistake(`followClock: ${addressOf(base)} goes by the wall clock. Start it with --follow-clock.`);
    },
    ...(followClock && { signedAt: async () => instantIn((await control('GET /clock')).now) }),
    read: null,
    bundle: ofTest.bundle,
    copied: async () => (await import('../hosting/bundle/bundle.ts')).readBundle(await ofTest.bundle()),
    openForTests: async (copied) => (await import('./bank-server.ts')).openForTests(copied),
    // The delays of armed faults are the server's.
    breakOffUntil: () => undefined,
    close: async () => testBanks()?.closed(ofTest),
  });
}

/**
 * Hears each move of the clock by the stream of events (control-plane.md V1). Returns what ends it; `failed` hears if
 * something else does. Throws a Mistake if the bank gives no stream.
 */
async function eventsOf(
  base: URL,
  { token, ca }: Readonly<Record<'token' | 'ca', string | undefined>>,
  hear: () => void,
  failed: (error: unknown) => void,
): Promise<() => void> {
  const headers = { accept: 'text/event-stream', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const ask = base.protocol === 'https:' ? process.getBuiltinModule('node:https').request : request;
  const asked = ask(`${addressOf(base)}/sandbox/events`, { headers, ...(ca !== undefined && { ca }) }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => undefined);
  if (answer.statusCode !== 200) {
    asked.destroy();
    throw new Mistake(`followClock: ${addressOf(base)} answered ${answer.statusCode} and no events.`);
  }
  let isWanted = true;
  answer
    .on('error', () => undefined)
    .on('close', () => {
      if (isWanted) failed(new Mistake(`followClock: the events of ${addressOf(base)} have ended: call it again.`));
    });
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    if (blocks.some((block) => /^event: (?:clock|reset)$/m.test(block))) hear();
  });
  return () => {
    isWanted = false;
    asked.destroy();
  };
}

/** The address of a bank as the start of its links. Throws a Mistake for anything else. */
function baseGiven(address: string | URL): URL {
  const wanted = 'the address of a bank, such as http://127.0.0.1:7263';
  const text = isUrl(address) ? address.href : textGiven('connectBank', wanted, address);
  if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text)) throw wrongGiven('connectBank', wanted, text);
  return new URL(text);
}

/** Sends with the server's control token: to the control plane, and with calls that change sandbox data. */
function withToken(send: Send, token: string | undefined): Send {
  if (token === undefined) return send;
  textGiven('connectBank', 'a text in token', token);
  const own = { authorization: `Bearer ${token}`, [tokenHeader.toLowerCase()]: token };
  const needsIt = /^(?:\/banks\/[^/]+)?(?:\/api-sandbox)?(?:\/v1)?\/sandbox\//;
  return (outgoing) =>
    send(needsIt.test(outgoing.target) ? { ...outgoing, headers: { ...own, ...outgoing.headers } } : outgoing);
}

/**
 * Makes the named bank, with a clock that stands still unless the test says otherwise or it is a copy; one that there
 * is stays as it is.
 */
async function makeBank(control: Control, root: URL, { now, from, ...settings }: ConnectBankOptions): Promise<void> {
  const start = now !== undefined && { now: instantGiven('connectBank', 'an instant in now', now) };
  try {
    await reached(root, control('POST /banks', await bodyFor(from, { ...settings, ...start })));
  } catch (error) {
    if (!(error instanceof BankError) || error.status !== 409) throw error;
  }
}

/**
 * What the call that makes a bank sends: `from` in JSON where it names a bank of the server, a saved bank as its body.
 */
async function bodyFor(from: ConnectBankOptions['from'], body: object) {
  if (from === undefined) return { body: { mode: 'frozen', ...body } };
  const isNamed = typeof from === 'string' ? isBankName(from) || from === defaultName : isPlain(from) && 'bank' in from;
  if (isNamed) return { body: { ...body, from } };
  // Loaded here only: few banks begin with a saved one.
  const { besideBundle } = await import('../control/bank-calls.ts');
  return besideBundle(
    body,
    await savedBytes('connectBank', from),
    (problem) => new Mistake(`connectBank: ${problem}.`),
  );
}

/** The answer. Throws the bank's refusal, or an Error with the address if no bank answers there. */
async function reached<Answer>(root: URL, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BankError) throw error;
    const { code = messageOf(error) } = Object(error) as { readonly code?: string };
    const advice = tlsAdvice(error) || ' npx --no sandbank serve starts one.';
    throw new Mistake(`connectBank: no bank answers at ${addressOf(root)} (${code}).${advice}`, { cause: error });
  }
}
