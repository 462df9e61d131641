import { Session, type Profiler } from 'node:inspector/promises';
import { grantConsentDirectly } from '../../engine/consents/consents.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { people, tpp } from '../lab/payments.ts';
import { did, startTestBank } from '../lab/server.ts';
import { figure, type Figure } from './measure.ts';
import { bankingDay } from './servers.ts';

/** The source files that an initiation executes. tests/interface/request-costs.test.ts counts its SQL statements. */
export async function figures(): Promise<Figure[]> {
  await using server = await startTestBank(bankingDay);
  const grant = { tppId: tpp.id, psu: people.nora.psu, context: 'PRIVATE', agreement: null, accounts: null } as const;
  const { consent } = await grantConsentDirectly(server.bank, grant);
  const headers = { 'psu-id': consent.psu_id };
  let index = 0;
  const prepare = () => {
    // No two are logical duplicates.
    const body = singlePayment({ instructedAmount: { amount: `${(index += 1)}.00`, currency: 'NOK' } });
    const sent = server.signedParts('POST', singlePath, { headers, body });
    return () => did(server.raw('POST', singlePath, sent.headers, sent.body));
  };
  // The first one compiles schemas and reads the certificate: once, not for each request.
  await prepare()();
  return [
    figure('POST /v1/payments with PSU-ID, files of engine and api', await filesOf(prepare), 'files', { atMost: 75 }),
  ];
}

const root = new URL('../../', import.meta.url).href;

/** How many files of engine and api a request executes. `prepare` makes it ready and returns what sends it, so that signing is not counted. */
async function filesOf(prepare: () => () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const turns: Set<string>[] = [];
  while (turns.length < 3) {
    const work = prepare();
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
