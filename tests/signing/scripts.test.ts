import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { program } from '../support/program.ts';
import { runMain } from '../support/recorded-terminal.ts';

const folder = tempFolder();
const check = createSignatureCheck({ trust: 'any' });

/** Judges each request as the bank would, and answers with what it saw. */
const server = createServer((request, response) => {
  void text(request).then(async (received) => {
    const { method = '', url: target = '', rawHeaders } = request;
    try {
      const tpp = await check({ method, target, rawHeaders, body: Buffer.from(received) }, systemClock.now(), 'PSP_PI');
      response.end(JSON.stringify({ tpp: tpp.id, headers: request.headers, body: received }));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ fault: error instanceof Refusal ? error.message : 'no refusal' }));
    }
  });
});

const home = process.cwd();
let base = '';
beforeAll(async () => {
  // Where data/tpp is made.
  process.chdir(folder);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  process.chdir(home);
  server.close();
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** `sandbank sign` in this process. */
async function sign(...args: string[]): Promise<Ran> {
  const { code, lines, errors } = await runMain(['sign', ...args], { env: { BANK: base } });
  return { code, out: lines.join('\n'), errors: errors.join('\n') };
}

/** `sandbank sign` in a process of its own. */
function signAlone(...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    const words = [program, 'sign', ...args];
    const child = execFile(
      process.execPath,
      words,
      { cwd: folder, env: { ...process.env, BANK: base } },
      (_error, out, errors) => {
        done({ code: child.exitCode ?? -1, out, errors });
      },
    );
  });
}

describe('sandbank sign', () => {
  test('interface, TPP authentication 10: G1: what it sends, with a body and a query, is accepted', async () => {
    const words = ['POST', '/v1/periodic-payments/x?a=b c', '-d', '{"name":"Blåbær"}'];
    const { code, out, errors } = await signAlone(...words);
    expect({ code, errors: errors.trim() }).toEqual({ code: 0, errors: '200 OK' });
    const answer = JSON.parse(out);
    expect(answer.body).toBe('{"name":"Blåbær"}');
    expect(answer.headers).toMatchObject({
      'x-accept-fix': 'none',
      'content-type': 'application/json',
      'psu-ip-address': '127.0.0.1',
    });
  });

  test('G8: the same name is the same TPP, another name another', async () => {
    const who = async (...args: string[]) => (await sign('GET', '/v1/accounts', '--pick', 'tpp', ...args)).out;
    const first = await who();
    expect(first).toMatch(/^PSDNO-FSA-\d{9}$/);
    expect(await who()).toBe(first);
    expect(await who('--tpp', 'other')).not.toBe(first);
  });

  test('interface, TPP authentication 7: given headers win, an empty one leaves a default out', async () => {
    const { out } = await sign(
      'GET',
      '/v1/accounts',
      '-H',
      'PSU-ID: 1',
      '-H',
      'tpp-redirect-uri: https://a.example',
      '-H',
      'PSU-IP-Address:',
    );
    const { headers } = JSON.parse(out);
    expect(headers).toMatchObject({ 'psu-id': '1', 'tpp-redirect-uri': 'https://a.example' });
    expect(headers).not.toHaveProperty('psu-ip-address');
    expect(headers.signature).toContain('headers="date x-request-id psu-id tpp-redirect-uri"');
  });

  test('calls under /v1/sandbox carry no PSU and no redirect headers', async () => {
    const { out } = await sign('POST', '/v1/sandbox/initialize');
    expect(Object.keys(JSON.parse(out).headers).filter((name) => /^(psu|tpp-redirect|tpp-session)/.test(name))).toEqual(
      [],
    );
  });

  test('--pick of a member that is not there and a refusal both end in 1', async () => {
    expect(await sign('GET', '/v1/accounts', '--pick', '_links.scaRedirect.href')).toMatchObject({ code: 1, out: '' });
    const refused = await sign('GET', '/v1/accounts', '--date', '2020-01-01T00:00:00Z');
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('60 s are allowed') });
  });

  test.each([
    [['GET']],
    [['GET', '/', '-H', 'Date: x']],
    [['GET', '/', '-H', 'x']],
    [['GET', '/', '--tpp', '../x']],
    [['GET', '/', '-d', '@absent']],
    [['GET', '/', '--date', 'yesterday']],
  ])('a wrong command %j ends in 2', async (args) => {
    expect((await sign(...args)).code).toBe(2);
  });
});
