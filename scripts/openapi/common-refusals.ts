import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../api/hosting/server.ts';
import { unexpectedProblem } from '../../api/pipeline/problem.ts';
import { readConfig } from '../../api/start/config.ts';
import { type Answer, type Call, get, post, send } from './control-calls.ts';
import { aRequestId, recordedAddress, uuid } from './steadied.ts';

/** What a call is refused with by each status, and `ready`: what GET /ready answers when the bank is not. */
export async function commonRefusals(): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-refusals-'));
  const flags = ['--port', '0', '--ledger', join(folder, 'ledger.db'), '--control-token', 'a-secret-of-the-server'];
  const server = await startServer(readConfig({}, [...flags, '--log-level', 'silent']));
  // What no call can bring about.
  const refusals: Record<string, unknown> = { 500: unexpectedProblem().json() };
  const ask = async (call: Call): Promise<Answer> => {
    const headers = { authorization: 'Bearer a-secret-of-the-server', ...call.headers };
    const answer = await send(server.address, { ...call, headers });
    if (answer.status >= 400) refusals[answer.status] = answer.body;
    return answer;
  };
  try {
    await ask(get('/sandbox/calendar'));
    await ask(get('/sandbox/info', { authorization: '' }));
    await ask(get('/sandbox/info', { origin: 'https://other.example' }));
    await ask(get('/sandbox/payments/unknown'));
    await ask(post('/sandbox/clock/advance', { to: 'x'.repeat(300_000) }));
    await ask({ ...post('/sandbox/reset', {}), headers: { 'content-type': 'text/plain' } });
    const guess = (): Promise<Answer> =>
      send(server.address, get('/sandbox/info', { authorization: 'Bearer another' }));
    while ((await guess()).status !== 429);
    await ask(get('/sandbox/info', { authorization: 'Bearer another' }));
    await ask(get('/health', { 'x-long': 'x'.repeat(100_000) }));
    rmSync(folder, { recursive: true });
    let ready = await send(server.address, get('/ready'));
    while (ready.status === 200) ready = await send(server.address, get('/ready'));
    await ask(post('/sandbox/clock/advance', { runs: 1 }));
    const text = JSON.stringify({ ...refusals, ready: ready.body });
    const known = text.replaceAll(server.address, recordedAddress).replaceAll(folder, '/data');
    return JSON.parse(known.replaceAll(uuid, aRequestId)) as Record<string, unknown>;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
