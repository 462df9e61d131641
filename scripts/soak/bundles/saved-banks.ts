import { bankOf } from '../../../api/catalogue/bank-of-scenario.ts';
import { catalogue } from '../../../api/catalogue/catalogue.ts';
import { playScenario } from '../../../api/catalogue/play-scenario.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { readConfig } from '../../../api/start/config.ts';
import { taken } from '../../../lab/forged-bundle.ts';

/** A bank that was saved, taken apart, and the requests of the interface that read it. */
export interface SavedBank {
  readonly name: string;
  readonly version: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly ledger: Buffer;
  readonly reads: readonly { readonly target: string; readonly headers: Readonly<Record<string, string>> }[];
}

/** Scenarios whose banks together have a row in almost every table. */
const names = [
  'bulk-part',
  'cards',
  'consent-lapsed',
  'corporate',
  'cross-border',
  'five-attempts',
  'monthly-variable',
  'other-channel',
  'signing-basket',
  'straks',
  'transactions',
  'two-signers',
];

/** Plays scenarios, each in a bank of its own, and saves the banks. */
export async function savedBanks(): Promise<readonly [SavedBank, ...SavedBank[]]> {
  const flags = [
    '--port=0',
    '--ledger=:memory:',
    '--log-level=silent',
    '--clock-mode=frozen',
    '--clock-now=2031-06-06',
  ];
  const server = await startServer(readConfig({}, flags));
  try {
    const [first, ...others] = await Promise.all(names.map((name) => save(server.address, name)));
    if (first === undefined) throw new Error('there are no scenarios');
    return [first, ...others];
  } finally {
    await server.stop();
  }
}

async function save(server: string, name: string): Promise<SavedBank> {
  const scenario = catalogue().find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const address = `${server}/banks/${name}`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, ...bankOf(scenario) });
  await fetch(`${server}/sandbox/banks`, { method: 'POST', headers, body });
  const reads: SavedBank['reads'][number][] = [];
  for await (const { request } of playScenario(scenario, { address, token: null }, new Map())) {
    const target = request.url.href.slice(address.length);
    const isNew = reads.every((read) => read.target !== target);
    if (request.method === 'GET' && target.includes('/v1/') && isNew) reads.push({ target, headers: request.headers });
  }
  // Armed faults too.
  await fetch(`${address}/sandbox/faults`, {
    method: 'POST',
    headers,
    body: '{"code":"SERVICE_BLOCKED","path":"/v1/none"}',
  });
  const saved = Buffer.from(await (await fetch(`${address}/sandbox/bundle`)).arrayBuffer());
  const { head, json, ledger } = taken(saved);
  return { name, version: head[2] ?? '', json, ledger, reads };
}
