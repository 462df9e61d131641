import { Session, type Profiler } from 'node:inspector/promises';
import { grantConsentDirectly } from '../../engine/consents/consents.ts';
import { statementsOf } from '../lab/count-statements.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { people, tpp } from '../lab/payments.ts';
import { did, type Sent, startTestBank } from '../lab/server.ts';
import { figure, type Figure } from './measure.ts';
import { bankingDay } from './servers.ts';

/** SQL statements of three requests to a running server, and the source files that an initiation executes. */
export async function figures(): Promise<Figure[]> {
  await using server = await startTestBank(bankingDay);
  const { psu } = people.nora;
  const grant = { tppId: tpp.id, psu, context: 'PRIVATE', agreement: null, accounts: null } as const;
  const { consent, accounts } = await grantConsentDirectly(server.bank, grant);
  const asPsu = { 'psu-id': consent.psu_id };
  const transactions = `/v1/accounts/${accounts[0]?.resource_id}/transactions`;
  const prepared = (method: string, target: string, sent: Sent) => {
    const { headers, body } = server.signedParts(method, target, sent);
    return () => did(server.raw(method, target, headers, body));
  };
  let index = 0;
  const initiation = (headers: Record<string, string>) => {
    // No two are logical duplicates.
    const instructedAmount = { amount: `${(index += 1)}.00`, currency: 'NOK' };
    return prepared('POST', singlePath, { headers, body: singlePayment({ instructedAmount }) });
  };
  const initiate = async () => initiation(asPsu);
  const approve = async () => {
    const { body } = await initiation({ 'x-psu-identity': psu, 'psu-context': 'PRIVATE' })();
    return () => server.approve(body._links.scaRedirect.href);
  };
  const list = async () => prepared('GET', transactions, { headers: asPsu });
  const statements = async (prepare: Prepare): Promise<number> => {
    // The first one compiles schemas and reads the certificate: once, not for each request.
    const first = await prepare();
    await first();
    return (await statementsOf(server.bank, await prepare())).length;
  };
  return [
    figure('POST /v1/payments with PSU-ID', await statements(initiate), 'statements', { atMost: 12 }),
    figure('  files of engine and api', await filesOf(initiate), 'files', { atMost: 90 }),
    figure('approval of one SCA', await statements(approve), 'statements', { atMost: 12 }),
    figure('GET transactions', await statements(list), 'statements', { atMost: 9 }),
  ];
}

/** Makes a request ready and returns what sends it, so that signing is not counted. */
type Prepare = () => Promise<() => Promise<unknown>>;

const root = new URL('../../', import.meta.url).href;

/** How many files of engine and api a request executes, after the first one. */
async function filesOf(prepare: Prepare): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const turns: Set<string>[] = [];
  while (turns.length < 3) {
    const work = await prepare();
    // What it takes from here on is what was called since.
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    turns.push(new Set(result.filter(isCalled).map(({ url }) => url)));
  }
  session.disconnect();
  // The scheduler looks at the clock meanwhile, once a second: what is in every turn belongs to the request.
  return turns.reduce((one, other) => new Set([...one].filter((url) => other.has(url)))).size;
}

function isCalled({ url, functions }: Profiler.ScriptCoverage): boolean {
  const isOurs = url.startsWith(`${root}engine/`) || url.startsWith(`${root}api/`);
  return isOurs && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
}
