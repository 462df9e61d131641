import { bankOf } from '../../api/catalogue/scenario.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { playScenario } from '../../api/catalogue/play-scenario.ts';
import { taken } from './forged-bundle.ts';
import { startTestBank, type TestBank } from './server.ts';

/** A bank that was saved, taken apart. */
export interface SavedBank {
  readonly name: string;
  readonly version: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly ledger: Buffer;
}

/** Scenarios whose banks together have a row in almost every table. */
const names = [
  ...['bulk-part', 'cards', 'consent-lapsed', 'corporate', 'cross-border', 'five-attempts'],
  ...['monthly-variable', 'other-channel', 'signing-basket', 'straks', 'transactions', 'two-signers'],
];

/** Plays scenarios, each in a bank of its own, and saves the banks. */
export async function savedBanks(): Promise<readonly SavedBank[]> {
  await using server = await startTestBank('2031-06-06');
  return await Promise.all(names.map((name) => save(server, name)));
}

async function save(server: TestBank, name: string): Promise<SavedBank> {
  const scenario = catalogue().find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  const base = `/banks/${name}`;
  const address = server.address + base;
  await server.control('POST', '/sandbox/banks', { name, ...bankOf(scenario) });
  for await (const _ of playScenario(scenario, { address, token: null }, new Map()));
  // Armed faults too.
  await server.control('POST', `${base}/sandbox/faults`, { code: 'SERVICE_BLOCKED', path: '/v1/signing-baskets' });
  const saved = Buffer.from(await (await fetch(`${address}/sandbox/bundle`)).arrayBuffer());
  const { head, json, ledger } = taken(saved);
  return { name, version: head[2] ?? '', json, ledger };
}
