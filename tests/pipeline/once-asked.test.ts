import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import { onceAsked } from '../../api/pipeline/once-asked.ts';

/* Handlers that are loaded late, or called by our code: what they reject with is answered. */
test('a handler that is made at its first request, and rejects, has its error answered', async () => {
  const app = express();
  const told: ErrorRequestHandler = (error: Error, _request, response, _next) =>
    void response.status(500).send(error.message);
  app.use(
    onceAsked(async () => async () => {
      await Promise.reject(new Error('it rejects'));
    }),
    told,
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    signal: AbortSignal.timeout(5_000),
  });
  expect([answer.status, await answer.text()]).toEqual([500, 'it rejects']);
  server.close();
});

test('a module that cannot be loaded is a 500 at its route, and the server stays', async () => {
  const script = new URL('failing-loads.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
  const answers = JSON.parse(stdout) as [string, number][];
  expect(answers.filter((_, at) => at % 2 === 0)).toEqual(
    answers.filter((_, at) => at % 2 === 0).map(([name]) => [name, 500]),
  );
  expect(answers.filter((_, at) => at % 2 === 1).every(([, status]) => status === 200)).toBe(true);
  expect(answers.length).toBeGreaterThan(20);
});

test('a handler that our code calls is awaited or returned: its type hides a promise from the lint', () => {
  const dropped = globSync('api/**/*.ts').flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) =>
        /^\s*(?:\(await )?[\w.#]+(?:\(\)\))?\((?:[^()]+, )?request(?: as never)?, response, next\);$/.test(line),
      )
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(dropped).toEqual([]);
});
