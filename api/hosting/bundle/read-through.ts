import { LedgerUnavailable } from '../../../engine/bank.ts';
import { Refusal } from '../../../engine/values/fault.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { controlCall, type ControlledBank, type ControlEndpoint } from '../../control/control-endpoint.ts';
import { ofEveryBank } from '../../control/control-plane.ts';
import type { Journal } from '../../journal/journal.ts';
import { requestsEndpoints } from '../../journal/requests.ts';
import { Problem } from '../../pipeline/problem.ts';
import { ConfigError } from '../../start/config.ts';

/** Maximum number of items of a list that are read one by one: more would delay the start too long. */
const maxOneByOne = 2_000;

/** Lists of the control plane, the member that names an item, and the path of the call that reads one item. */
const lists = [
  { path: '/payments', member: 'payments', names: 'paymentId', one: '/payments/:paymentId' },
  { path: '/accounts', member: 'accounts', names: 'number', one: '/accounts/:number' },
  { path: '/runs', member: 'runs', names: 'id', one: '/runs/:runId' },
  { path: '/requests', member: 'requests', names: 'requestId', one: '/requests/:requestId' },
] as const;

/** Items of a list on one page. */
const page = 500;

/**
 * Reads everything in a bank once, through every GET of its control plane, before anybody else does (control-plane.md B2). Throws a
 * ConfigError of one line for data that cannot be read. A refusal of the bank is fine.
 */
export async function readThrough(bank: ControlledBank, journal: Journal): Promise<void> {
  const reads = [...ofEveryBank, ...requestsEndpoints(journal)].filter(
    ({ method, tell }) => method === 'GET' && tell === undefined,
  );
  const read = async (path: string, params: Record<string, string> = {}, query = new Map<string, string>()) => {
    const endpoint = reads.find((each) => each.path === path);
    if (endpoint === undefined) throw new Error(`the control plane has no GET ${path}`);
    return answerOf(endpoint, bank, { params, query });
  };
  for (const { path } of reads) if (!path.includes(':')) await read(path);
  for (const { path, member, names, one } of lists) {
    const isPaged = path === '/payments';
    const named = new Set<string>();
    for (let offset = 0; offset % page === 0;) {
      const query = new Map(
        isPaged
          ? [
              ['offset', String(offset)],
              ['limit', String(page)],
            ]
          : [],
      );
      const items = itemsIn(await read(path, {}, query), member);
      for (const item of items) named.add(String(item[names]));
      offset += items.length;
      if (items.length === 0 || !isPaged) break;
    }
    const [, parameter = ''] = one.split(':');
    for (const name of [...named].slice(0, maxOneByOne)) await read(one, { [parameter]: name });
  }
}

async function answerOf(
  endpoint: ControlEndpoint,
  bank: ControlledBank,
  asked: { readonly params: Record<string, string>; readonly query: ReadonlyMap<string, string> },
): Promise<unknown> {
  try {
    const call = controlCall(endpoint, bank, { ...asked, address: 'http://127.0.0.1', text: null, body: {} });
    const answer = await endpoint.handle(call);
    // As an answer is sent.
    return JSON.parse(JSON.stringify(answer)) as unknown;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Problem) return {};
    const why =
      error instanceof Error && !(error instanceof LedgerUnavailable) ? `: ${oneLine(error.message, 200)}` : '';
    throw new ConfigError(`the ledger of the bundle is damaged: ${endpoint.path.slice(1)} cannot be read${why}`);
  }
}

function itemsIn(answer: unknown, member: string): readonly Readonly<Record<string, unknown>>[] {
  const items = Object(answer)[member] as unknown;
  return Array.isArray(items) ? (items as Readonly<Record<string, unknown>>[]) : [];
}
