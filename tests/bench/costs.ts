import { Agent } from 'node:http';
import { Session, type Profiler } from 'node:inspector/promises';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { grantConsentDirectly } from '../../engine/consents/consents.ts';
import { statementsOf } from '../lab/count-statements.ts';
import { startTestBank } from '../lab/server.ts';
import { figure, type Figure } from './figure.ts';
import { bankingDay } from './servers.ts';
import { initiation, psu, send, signed, type PreparedRequest } from './signed-requests.ts';

const agent = new Agent({ keepAlive: true });

/** SQL statements of three requests to a running server, and the source files that an initiation executes. */
export async function figures(): Promise<Figure[]> {
  const { bank, address, stop } = await startTestBank(bankingDay);
  try {
    const grant = { tppId: testTppId('bench'), psu, context: 'PRIVATE', agreement: null, accounts: null } as const;
    const { consent, accounts } = await grantConsentDirectly(bank, grant);
    const asPsu = { 'psu-id': consent.psu_id };
    const transactions = `/v1/accounts/${accounts[0]?.resource_id}/transactions`;
    let index = 0;
    const initiate = async () => sending(address, initiation((index += 1), asPsu), 201);
    const approve = async () => sending(address, await approvalOf(address, initiation((index += 1))), 200);
    const list = async () => sending(address, signed('GET', transactions, asPsu), 200);
    const statements = async (prepare: Prepare): Promise<number> => {
      // The first one compiles schemas and reads the certificate: once, not for each request.
      const first = await prepare();
      await first();
      return (await statementsOf(bank, await prepare())).length;
    };
    return [
      figure('POST /v1/payments with PSU-ID', await statements(initiate), 'statements', { atMost: 12 }),
      figure('  files of engine and api', await filesOf(initiate), 'files', { atMost: 90 }),
      figure('approval of one SCA', await statements(approve), 'statements', { atMost: 12 }),
      figure('GET transactions', await statements(list), 'statements', { atMost: 9 }),
    ];
  } finally {
    agent.destroy();
    await stop();
  }
}

/** Makes a request ready and returns what sends it, so that signing is not counted. */
type Prepare = () => Promise<() => Promise<string>>;

function sending(address: string, prepared: PreparedRequest, status: number): () => Promise<string> {
  return () => send(agent, address, prepared, status);
}

/** Initiates, and returns the request that approves. */
async function approvalOf(address: string, initiated: PreparedRequest): Promise<PreparedRequest> {
  const answer = await send(agent, address, initiated, 201);
  const body = Buffer.from(JSON.stringify({ outcome: 'approve', psu, context: 'PRIVATE' }));
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', target: `/sandbox${/\/sca\/[\w-]+/.exec(answer)?.[0]}`, headers, body };
}

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
