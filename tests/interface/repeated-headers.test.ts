import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

/** A signed initiation whose headers may stand there more than once: fetch would join them. */
function initiate(more: Readonly<Record<string, string | string[]>>): Promise<{ status: number; body: string }> {
  const body = Buffer.from(JSON.stringify(singlePayment()));
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const covered = { 'tpp-redirect-uri': 'https://tpp.example/back' };
  const signing = { method: 'POST', target: singlePath, headers: covered, body, certificate, key };
  const signed = signHeaders({
    ...signing,
    date: systemClock.now(),
    requestId: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19',
  });
  const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE', 'psu-ip-address': '192.0.2.1' };
  const headers = { ...covered, ...signed, ...psu, 'content-type': 'application/json', ...more };
  return new Promise((resolve, reject) => {
    const sent = request(bank.address + singlePath, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.on('error', reject).end(body);
  });
}

test('G5: each once is accepted', async () => {
  expect((await initiate({ 'tpp-session-id': 'one' })).status).toBe(201);
});

test.each([
  ['tpp-session-id', ['one', 'two']],
  ['content-type', ['application/json', 'text/xml']],
  ['psu-context', ['PRIVATE', 'PRIVATE']],
  ['psu-ip-address', ['192.0.2.1', '192.0.2.2']],
])('G5: %s twice is a FORMAT_ERROR, even where Node would keep the first', async (name, values) => {
  const { status, body } = await initiate({ [name]: values });
  const { tppMessages } = JSON.parse(body) as { tppMessages: unknown[] };
  expect([status, tppMessages]).toEqual([400, [expect.objectContaining({ code: 'FORMAT_ERROR', path: name })]]);
});
