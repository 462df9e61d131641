import { randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { connectOverHttp } from '../../api/harness/connect-bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startTestBank, validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { openSaved } from '../lab/saved-bank.ts';

const [accepted, refused] = [randomUUID(), randomUUID()];
const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  await bank.signed('GET', '/v1/sandbox/customers', { headers: { 'x-request-id': accepted } });
  await bank.raw('GET', '/v1/accounts', { 'x-request-id': refused, 'x-note': 'a\u0085b' });
});

function requests(...args: string[]): Promise<Ended> {
  return runMain(['requests', ...args, '--port', new URL(bank.address).port]);
}

test('a line for each request, the oldest first, with the finding of a refusal', async () => {
  const { code, lines, errors } = await requests();
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    `2027-03-24 12:00  200  GET /v1/sandbox/customers  ${accepted}`,
    `2027-03-24 12:00  400  GET /v1/accounts  SIGNATURE_MISSING  ${refused}`,
    expect.stringMatching(/^ {4}The request is not signed: /),
  ]);
});

test('filters go to the control plane as they are', async () => {
  expect((await requests('--verdict', 'accepted')).lines).toEqual([expect.stringContaining(accepted)]);
  expect((await requests('--code', 'SIGNATURE_MISSING', '--path', '/v1/accounts', '--limit', '3')).lines[0]).toContain(
    refused,
  );
  expect((await requests('--tpp', 'nobody & co')).lines).toEqual(['The journal has no such requests.']);
  const wrong = await requests('--verdict', 'maybe');
  expect([wrong.code, wrong.lines, wrong.errors[0]]).toEqual([
    1,
    [],
    expect.stringMatching(/^refused \(400\): .*"maybe"/),
  ]);
});

test('J1: after a reset of the harness its own requests come first, here and in a saved bank', async () => {
  await using own = await startTestBank('2027-03-24T12:00:00+01:00');
  const ask = (target: string) => own.raw('GET', target);
  await ask('/v1/before');
  const harness = await connectOverHttp(own.address, {});
  await harness.reset();
  await ask('/v1/first');
  await ask('/v1/second');
  const shown = async (command: string, at = own.address) => {
    const { lines } = await runMain([command], { env: { BANK: at } });
    return lines.flatMap((line) => /(?<=\d{3} {2})GET \/v1\/\w+|.*before the last reset/i.exec(line)?.[0] ?? []);
  };
  const listed = ['GET /v1/first', 'GET /v1/second', 'Before the last reset', 'GET /v1/before'];
  expect(await shown('requests')).toEqual(listed);
  const file = join(folder, 'own.sandbank');
  await harness.save(file);
  await harness.close();
  const bundle = readFileSync(file);
  await using server = await openSaved(bundle);
  expect(await shown('requests', server.address)).toEqual(listed);
});

test('one id shows all of it', async () => {
  const { code, lines } = await requests(accepted);
  expect(code).toBe(0);
  const text = lines.join('\n');
  expect(text).toContain('TPP PSDNO-FSA-987654321, signature accepted');
  expect(text).toContain(`    X-Request-ID: ${accepted}`);
  expect(text).toMatch(/ {2}signing.expected\n {4}date: .*\n {4}x-request-id: /);
  expect(text).toContain('"customerNumber": "***********"');
  const answer = JSON.parse((await requests(accepted, '--json')).lines.join('\n'));
  expect(answer).toEqual((await bank.control('GET', `/sandbox/requests/${accepted}`)).body);
});

test('a refusal that no signature explains has its reason below, in the list and alone', async () => {
  const nobody = randomUUID();
  await bank.signed('GET', '/v1/nowhere', { headers: { 'x-request-id': nobody } });
  const [line = '', reason = '', ...more] = (await requests('--limit', '1')).lines;
  expect(line).toContain(`404  GET /v1/nowhere  NOT_FOUND  ${nobody}`);
  expect([reason, more]).toEqual([expect.stringMatching(/^ {4}\w[^\n]+\.$/), []]);
  expect((await requests(nobody)).lines).toContain(reason);
});

test('of a wrong signature that the doctor explains, where the signing strings differ', async () => {
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const target = '/v1/sandbox/customers';
  const [date, requestId] = [systemClock.now(), randomUUID()];
  const request = { method: 'GET', target, headers: {}, body: Buffer.alloc(0), certificate, key, date, requestId };
  const headers = new Map(Object.entries(signHeaders(request)).map(([name, value]) => [name.toLowerCase(), value]));
  const names = /headers="([^"]+)"/.exec(headers.get('signature') ?? '')?.[1]?.split(' ') ?? [];
  const wrong = `${names.map((name) => `${name}: ${headers.get(name)}`).join('\n')}\n`;
  const value = sign('RSA-SHA256', Buffer.from(wrong), key).toString('base64');
  headers.set('signature', (headers.get('signature') ?? '').replace(/ignature="[^"]*"/, `ignature="${value}"`));
  await bank.raw('GET', target, Object.fromEntries(headers));
  const ended = await requests(requestId);
  expect(ended.lines.join('\n')).toMatch(/ {2}signing\.difference\n {4}line \d, column \d+\n {4}the bank has: \n/);
}, 20_000);

test.each([
  [['nothing'], 1, /^refused \(404\): .*no request "nothing"/],
  [['..'], 2, /is no name/],
  [['a', 'b'], 2, /one word too many/],
  [['--colour', 'red'], 2, /--colour/],
])('%j ends in %i', async (args, code, problem) => {
  const ended = await requests(...args);
  expect([ended.code, ended.lines, ended.errors[0]]).toEqual([code, [], expect.stringMatching(problem)]);
});
