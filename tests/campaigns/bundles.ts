import { ConfigError } from '../../api/start/config.ts';
import { consoleViews } from '../../api/console/views.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { configOfBundle, readBundle } from '../../api/hosting/bundle/bundle.ts';
import { BundleRefused } from '../../api/hosting/bundle/bundle-file.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { exchange } from '../lab/exchange.ts';
import { contentOf, forged } from '../lab/forged-bundle.ts';
import { fileMoves, type Move } from './bundles/file-moves.ts';
import { ledgerMoves, schemaMoves } from './bundles/ledger-moves.ts';
import { type Campaign, demand, Violation } from './campaign.ts';
import { type SavedBank, savedBanks } from '../lab/saved-banks.ts';

/** Items of each list that are read one by one. */
const maxItemsRead = 3;

/** Time limit of an answer, in ms: far more than a small bank takes for any. */
const answerMs = 30_000;

/** A test gives another server, to prove that the campaign sees what a server does. */
type Change = typeof startServer;

/**
 * Opens bundles with a right digest that were built wrong in their rows, JSON, bytes, lengths or limits, and reads everything in them: each is
 * refused in one line, or the server answers every page and call of it. A row that makes no sense may make a call fail.
 */
export const bundles: Campaign<Change> = openingWrong([...ledgerMoves, ...fileMoves]);

/** The same with objects of all kinds and names in the ledger. */
export const schemas: Campaign<Change> = openingWrong(schemaMoves);

function openingWrong(moves: readonly Move[]): Campaign<Change> {
  const weighted = moves.flatMap((move) => Array.from({ length: move[1] }, () => move));
  return {
    unit: 'bundles',
    usualCount: 10_000,
    run: async ({ random, tally, each }, start = startServer) => {
      const banks = await savedBanks();
      await each(async () => {
        const bank = random.pick(banks);
        const [name, , make] = random.pick(weighted);
        const { what, json = bank.json, ledger = bank.ledger, content, isForeign, ...head } = make(random, bank);
        const file = forged(content ?? contentOf(json, ledger), { version: bank.version, ...head });
        const about = `${bank.name}, ${name}, ${what}`;
        const outcome = await openOne(file, bank, about, start);
        tally(`${name}: ${outcome}`);
        demand(isForeign !== true || outcome === 'refused', `${about}: opens, and no ledger has it`);
      });
    },
  };
}

async function openOne(file: Buffer, bank: SavedBank, what: string, start: Change) {
  let server: RunningServer;
  try {
    const bundle = await readBundle(file);
    const config = configOfBundle(bundle, ['--port=0', '--log-level=silent']);
    server = await start(config, undefined, { bundle });
  } catch (error) {
    // `sandbank open` prints it in one line, and ends in 2.
    if (!(error instanceof ConfigError) && !(error instanceof BundleRefused))
      throw new Violation(`${what}: ends in a stack: ${error instanceof Error ? error.stack : String(error)}`);
    const isLine = !/[\p{Cc}\u2028\u2029]/u.test(error.message) && error.message.length <= 5_000;
    demand(isLine, `${what}: is refused in more than a line: ${JSON.stringify(error.message.slice(0, 1_000))}`);
    return 'refused';
  }
  try {
    await readAll(server, bank, what);
    return 'opened';
  } finally {
    await server.stop();
  }
}

/** Lists of the control plane: path, the member that names an item, and its page. */
const lists = [
  ['payments', 'paymentId'],
  ['accounts', 'number'],
  ['runs', 'id'],
  ['requests', 'requestId'],
] as const;

async function readAll({ address }: RunningServer, { reads }: SavedBank, what: string): Promise<void> {
  const read = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const sent = { method: 'GET', headers, patience: AbortSignal.timeout(answerMs) };
    const answer = await exchange(address + target, sent).catch((error: unknown) => {
      throw new Violation(`${what}: GET ${target} has no answer: ${String(error)}`);
    });
    return answer.headers.get('content-type')?.includes('json') === true ? JSON.parse(answer.text) : null;
  };
  for (const { method, path, tell } of ofEveryBank) {
    if (method === 'GET' && tell === undefined && !path.includes(':')) await read(`/sandbox${path}`);
  }
  await read('/sandbox/requests');
  for (const { path } of consoleViews) if (!path.includes(':')) await read(`/console${path}`);
  for (const [list, name] of lists) {
    const answer = Object(await read(`/sandbox/${list}`)) as Record<string, Record<string, unknown>[] | undefined>;
    for (const item of (answer[list] ?? []).slice(0, maxItemsRead)) {
      const one = encodeURIComponent(String(item[name]));
      await read(`/sandbox/${list}/${one}`);
      await read(`/console/${list}/${one}`);
    }
  }
  for (const { target, headers } of reads) await read(target, { ...headers, 'x-request-id': crypto.randomUUID() });
}
