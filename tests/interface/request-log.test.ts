import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { requestLog } from '../../api/pipeline/request-log.ts';

test.each([
  ['/sca/8Jx2-abc_D', '/sca/...'],
  ['/sca/8Jx2-abc_D?method=HA2', '/sca/...?method=HA2'],
  ['/sca/8Jx2-abc_D?step=Yk3x-_9', '/sca/...?step=...'],
  ['/sandbox/sca/8Jx2-abc_D', '/sandbox/sca/...'],
  ['/health?limit=1', '/health?limit=1'],
])('the log of %s has no id of an SCA: who knows it can answer it', async (target, logged) => {
  const lines: string[] = [];
  const app = express();
  app.use(requestLog(pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), null));
  app.use((_request, response) => {
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'It is not there.' };
    response.status(404).type('application/problem+json').send(problem);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${target}`)).text();
  await new Promise((resolve) => server.close(resolve));
  expect(lines.map((line) => (JSON.parse(line) as { target: string }).target)).toEqual([logged]);
});
