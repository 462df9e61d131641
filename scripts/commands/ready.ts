import { text } from 'node:stream/consumers';
import { isLoopback } from '../../api/pipeline/addresses.ts';
import { setTimeout, systemClock } from '../../engine/time/clock.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { bankAddress } from '../cli/bank-address.ts';
import { CommandFailed, jsonFlag, serverNote } from '../cli/command.ts';
import { expecting } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { printAnswer } from '../cli/output.ts';

/** Time limit of an answer, in ms. */
const answerTimeoutMs = 2_000;
/** Pause between two questions of a wait, in ms. */
const pauseMs = 100;
/** How long `--wait` alone waits. */
const usualWait = '30s';

/** The health check of the image: calls `/ready` of the server with these settings. */
export const ready: Command = {
  name: 'ready',
  summary: 'Tells whether the server is ready. Exit code 0 if it is, 1 if not.',
  flags: {
    '--wait [TIME]': `Waits until the server is ready, at most TIME: 30s, 500ms, 2m [${usualWait}].`,
    '--bank <NAME>': 'Also checks that the server has this bank.',
    ...jsonFlag,
  },
  settings: ['PORT', 'HOST', 'SANDBANK_TLS'],
  takesAllSettings: true,
  notes: ['If the server is not ready, standard error says why.', serverNote],
  examples: ['sandbank ready', 'sandbank ready --wait', 'sandbank ready --wait=5s --json'],
  run: async (given, terminal) => {
    const waits = given.text('wait') ?? '0s';
    const until = systemClock.monotonic() + valueOf('wait', waits === '' ? usualWait : waits, wait);
    for (;;) {
      const { state, problem } = await stateOf(given);
      if (problem === null) return printAnswer({ given, terminal }, state, () => ['ready']);
      if (systemClock.monotonic() + pauseMs > until) throw new CommandFailed(`not ready: ${problem}`, state);
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs));
    }
  },
};

/** In ms. */
const wait = expecting('a time, such as 30s, 500ms or 2m', (text) => {
  const [, number, unit = 's'] = /^(\d{1,6})(ms|s|m)?$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * ({ ms: 1, s: 1_000, m: 60_000 }[unit] ?? 1_000);
});

interface Readiness {
  /** The server's answer to `/ready`, or our own words in the same form. */
  readonly state: object;
  /** Why it is not ready. */
  readonly problem: string | null;
}

async function stateOf(given: Arguments): Promise<Readiness> {
  const { server: address, path } = bankAddress(given);
  const unready = (detail: string): Readiness => ({ state: { status: null, detail }, problem: detail });
  try {
    const answer = await probe(`${address}/ready`);
    const state: unknown = await answer.json().catch(() => null);
    if (typeof state !== 'object' || state === null || !('status' in state))
      return unready(`what answers at ${address} (${answer.status}) does not look like a Sandbank`);
    const status = String(state.status);
    if (status !== 'ready')
      return { state, problem: 'detail' in state ? `${status}: ${String(state.detail)}` : status };
    if (path !== '' && !(await hasBank(address, path)))
      return unready(`the server at ${address} has no bank ${path.slice('/banks/'.length)}`);
    return { state, problem: null };
  } catch {
    return unready(`nothing answers at ${address}`);
  }
}

/** Whether a bank is at this path; the probes belong to the server. */
async function hasBank(server: string, path: string): Promise<boolean> {
  return (await probe(`${server}${path}/`)).status !== 404;
}

/** Asks on this machine whatever the certificate: that of a server may be for its name in the network. */
async function probe(url: string): Promise<Response> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  if (!url.startsWith('https:') || !isLoopback(url)) return fetch(url, { signal });
  const { get } = await import('node:https');
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, signal }, (answer) => {
      text(answer).then((body) => resolve(new Response(body, { status: answer.statusCode ?? 500 })), reject);
    }).once('error', reject);
  });
}
