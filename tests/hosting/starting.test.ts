import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { addProbes, Readiness, whileStarting } from '../../api/hosting/readiness.ts';
import type { LedgerTrouble } from '../../engine/ledger/database.ts';

let server: Server;
let address: string;
let readiness: Readiness;
/** Empty until the banks are open, as in the server. */
let routes: Router;

beforeEach(async () => {
  readiness = new Readiness();
  const app = express();
  addProbes(app, readiness);
  routes = Router();
  app.use(routes, whileStarting(readiness));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  ['GET', '/v1/accounts', 'application/json', '"code":"SYSTEM_ERROR"'],
  ['POST', '/api-sandbox/v1/payments/x', 'application/json', '"tppMessages"'],
  ['GET', '/sandbox/clock', 'application/problem+json', '"status":503'],
  ['GET', '/sca/abc', 'text/html', '<h1>The bank is starting</h1>'],
  ['GET', '/', 'text/html', '<h1>The bank is starting</h1>'],
])('before the bank is ready, %s %s is 503 in the form of its path', async (method, path, type, part) => {
  const answer = await fetch(address + path, { method });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(answer.headers.get('content-type')).toContain(type);
  const text = await answer.text();
  expect(text).toContain(part);
  expect(text).toMatch(/the bank is starting/i);
});

test('probes answer before; requests pass when it is ready, and when its ledger is in trouble', async () => {
  let trouble: LedgerTrouble | null = null;
  const ready = async (): Promise<unknown> => (await fetch(`${address}/ready`)).json();
  expect((await fetch(`${address}/health`)).status).toBe(200);
  expect(await ready()).toEqual({ status: 'starting' });
  readiness.checking();
  expect(await ready()).toEqual({ status: 'checking' });
  expect(await (await fetch(`${address}/v1/accounts`)).text()).toContain('checks its ledger');
  routes.use((_request, response) => void response.json({ accounts: [] }));
  readiness.ready({ trouble: () => trouble, check: () => Promise.resolve() });
  expect(await ready()).toEqual({ status: 'ready' });
  expect(await (await fetch(`${address}/accounts`)).json()).toEqual({ accounts: [] });
  trouble = { kind: 'broken', reason: 'a test' };
  expect(await ready()).toEqual({ status: 'broken', detail: 'a test' });
  expect(await (await fetch(`${address}/accounts`)).json()).toEqual({ accounts: [] });
});
