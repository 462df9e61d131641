import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../engine/time/clock.ts';
import { bulkPath } from '../lab/bodies.ts';
import { cpuTimeDuring, leastCpuTime } from '../support/cpu-time.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

const { certificateBase64, serialHex } = validCertificate();
const signed = (keyId: string) => ({
  date: new Date(systemClock.now()).toUTCString(),
  'tpp-signature-certificate': certificateBase64,
  signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="date",signature="AAAA"`,
});

/** Headers that Node lets in (16 KB in all), each of which once held the only thread of the server for the time given. */
const hostile: readonly (readonly [what: string, once: string, headers: Record<string, string>])[] = [
  [
    'a PEM certificate of 6,000 line breaks',
    '72 s',
    {
      'tpp-signature-certificate': Buffer.from(`-----BEGIN CERTIFICATE-----${'\n'.repeat(6000)}`).toString('base64'),
    },
  ],
  [
    'a PEM certificate of 11,000 line breaks',
    'minutes',
    {
      'tpp-signature-certificate': Buffer.from(`-----BEGIN CERTIFICATE-----${'\n'.repeat(11_000)}`).toString('base64'),
    },
  ],
  ['a keyId of SN= and 3,000 blanks', '15 s', signed(`SN=${' '.repeat(3000)}`)],
  ['a keyId whose issuer is 5,000 quotes', 'a while', signed(`SN=${serialHex},CA=CN=a${'\\"'.repeat(2500)}`)],
  ['a keyId whose issuer is 3,000 attributes', 'a while', signed(`SN=${serialHex},CA=${'C=NO,'.repeat(2000)}C=NO`)],
  ['an unsigned header of 14,000 inner blanks', '0.45 s', { 'x-note': `a${' '.repeat(14_000)}b` }],
];

test.each(hostile)('%s (once %s) is answered within a second of processor time', async (_what, _once, headers) => {
  const taken = await cpuTimeDuring(async () => {
    const answer = await bank.raw('GET', '/v1/accounts', headers);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body.tppMessages[0].category).toBe('ERROR');
  });
  expect(taken).toBeLessThan(1_000);
});

test('a Digest that names SHA-256 two hundred times costs one hash of a large body', async () => {
  const body = Buffer.alloc(1024 * 1024, 'x');
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const time = async (times: number) => {
    const headers = {
      ...signed(`SN=${serialHex},CA=C=NO`),
      digest: Array.from({ length: times }, () => digest).join(','),
    };
    return cpuTimeDuring(async () => {
      const answer = await bank.raw('POST', bulkPath, headers, body);
      expect(answer.body.tppMessages[0].code).toBe('SIGNATURE_INVALID');
    });
  };
  await time(1);
  const once = await leastCpuTime(4, () => time(1));
  expect(await leastCpuTime(4, () => time(200))).toBeLessThan(40 * once);
}, 60_000);
