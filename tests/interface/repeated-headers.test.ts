import { expect, test } from '@jest/globals';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { exchange, type Answered } from '../lab/exchange.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

/** A signed initiation whose headers may stand there more than once: fetch would join them. */
function initiate(more: Readonly<Record<string, string | string[]>>): Promise<Answered> {
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
  return exchange(bank.address + singlePath, { method: 'POST', headers, body });
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
  const { status, text } = await initiate({ [name]: values });
  const { tppMessages } = JSON.parse(text) as { tppMessages: unknown[] };
  expect([status, tppMessages]).toEqual([400, [expect.objectContaining({ code: 'FORMAT_ERROR', path: name })]]);
});
