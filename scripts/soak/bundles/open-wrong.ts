import { setTimeout } from 'node:timers/promises';
import { ConfigError } from '../../../api/start/config.ts';
import { consoleViews } from '../../../api/console/views.ts';
import { ofEveryBank } from '../../../api/control/control-plane.ts';
import { configOfBundle, readBundle } from '../../../api/hosting/bundle/bundle.ts';
import { BundleRefused } from '../../../api/hosting/bundle/bundle-file.ts';
import { type RunningServer, startServer } from '../../../api/hosting/server.ts';
import { exchange } from '../../../lab/exchange.ts';
import { Violation } from '../campaign.ts';
import type { SavedBank } from './saved-banks.ts';

/** Items of each list that are read one by one. */
const mostRead = 3;

/** Time limit of an answer, in ms: far more than any of such a small bank takes. */
const patience = 30_000;

/**
 * Opens a bundle that somebody has built, and reads everything in it: refused in one line, or no page and no call of it is a failure.
 * Returns what came of it. Throws a Violation. `start` may be another one, to prove that it is seen what a server does.
 */
export async function openWrong(
  file: Buffer,
  of: SavedBank,
  what: string,
  start: typeof startServer = startServer,
): Promise<'refused' | 'opened'> {
  let server: RunningServer;
  try {
    const bundle = await readBundle(file);
    const config = configOfBundle(bundle, ['--port=0', '--log-level=silent', '--doctor=off']);
    server = await start(config, undefined, { bundle });
  } catch (error) {
    requireLine(error, what);
    return 'refused';
  }
  try {
    await readAll(server, of, what);
    return 'opened';
  } finally {
    await server.stop();
  }
}

/** What `sandbank open` prints in one line and ends in 2 with. */
function requireLine(error: unknown, what: string): void {
  if (!(error instanceof ConfigError) && !(error instanceof BundleRefused))
    throw new Violation(`${what}: ends in a stack: ${error instanceof Error ? error.stack : String(error)}`);
  if (/[\p{Cc}\u2028\u2029]/u.test(error.message) || error.message.length > 5_000)
    throw new Violation(`${what}: is refused in more than a line: ${JSON.stringify(error.message.slice(0, 1_000))}`);
}

async function readAll({ address }: RunningServer, { reads }: SavedBank, what: string): Promise<void> {
  const read = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const sent = exchange(address + target, { method: 'GET', headers });
    const answer = await Promise.race([sent, timeUp()]).catch((error: unknown) => {
      throw new Violation(`${what}: GET ${target} has no answer: ${String(error)}`);
    });
    const { text } = answer;
    if (answer.status >= 500) throw new Violation(`${what}: GET ${target} is ${answer.status}: ${text.slice(0, 300)}`);
    return answer.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : null;
  };
  for (const { method, path, tell } of ofEveryBank) {
    if (method === 'GET' && tell === undefined && !path.includes(':')) await read(`/sandbox${path}`);
  }
  await read('/sandbox/requests');
  for (const { path } of consoleViews) if (!path.includes(':')) await read(`/console${path}`);
  const pages: readonly (readonly [string, string, string])[] = [
    ['payments', 'paymentId', 'payments'],
    ['accounts', 'number', 'accounts'],
    ['runs', 'id', 'runs'],
    ['requests', 'requestId', 'requests'],
  ];
  for (const [list, name, page] of pages) {
    const answer = Object(await read(`/sandbox/${list}`)) as Record<string, Record<string, unknown>[] | undefined>;
    for (const item of (answer[list] ?? []).slice(0, mostRead)) {
      const one = encodeURIComponent(String(item[name]));
      await read(`/sandbox/${list}/${one}`);
      await read(`/console/${page}/${one}`);
    }
  }
  for (const { target, headers } of reads) await read(target, { ...headers, 'x-request-id': crypto.randomUUID() });
}

async function timeUp(): Promise<never> {
  await setTimeout(patience, undefined, { ref: false });
  throw new Error(`nothing after ${patience / 1000} s`);
}
