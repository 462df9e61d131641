import { request as ask } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { httpServer } from '../../api/hosting/http-server.ts';
import { issueAuthority } from '../../api/signing/certificate-kit.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* G14: a damaged file of the CA fails the start, and later the calls that need it, in words. */

const folder = tempFolder();
const now = '2027-03-24T12:00:00+01:00';
let count = 0;
let bank: TestBank | undefined;
afterEach(async () => {
  await bank?.stop();
  bank = undefined;
});

const [one, other] = await Promise.all([issueAuthority('Sandbank CA'), issueAuthority('Sandbank CA')]);
const broken = one.certificatePem.replace(/(?<=BEGIN CERTIFICATE-----\n).{20}/, 'A'.repeat(20));
const damaged: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['junk', 'junk'],
  ['without a key', one.certificatePem],
  ['with a certificate that cannot be read', broken + one.keyPem],
  [
    'with a key that cannot be read',
    `${one.certificatePem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
  ],
  ['with the key of another', one.certificatePem + other.keyPem],
];

/** The path of a ledger with this file of the CA beside it. */
function ledgerBeside(content: string): string {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  writeFileSync(join(own, 'sandbox-ca.pem'), content);
  return join(own, 'ledger.sqlite');
}

test.each(damaged)('G14: a file %s fails the start with --sign-answers in one line', async (_what, content) => {
  const starting = startTestBank(now, ['--sign-answers=1', `--ledger=${ledgerBeside(content)}`]);
  await expect(starting).rejects.toThrow(
    /^the sandbox CA cannot be used: \S+sandbox-ca\.pem does not hold a certificate and its key$/,
  );
});

test.each(damaged)(
  'G14: with a file %s, an answer that is to be signed later is 503, and not an error page',
  async (_what, content) => {
    bank = await startTestBank(now, [`--ledger=${ledgerBeside(content)}`]);
    await bank.control('PUT', '/sandbox/quirks', { quirks: { 'signed-answers': true } });
    for (const asked of [() => bank?.signed('GET', '/v1/users'), () => bank?.raw('GET', '/v1/users')]) {
      const answer = await asked();
      expect(answer?.status).toBe(503);
      expect(answer?.headers.get('signature')).toBe(null);
      expect(answer?.body.tppMessages).toEqual([
        {
          category: 'ERROR',
          code: 'SYSTEM_ERROR',
          text: expect.stringMatching(/^The bank cannot sign its answer: .*sandbox-ca\.pem/),
        },
      ]);
    }
    await bank.control('PUT', '/sandbox/quirks', { quirks: { 'signed-answers': false } });
    expect((await bank.signed('GET', '/v1/users')).status).not.toBe(503);
  },
);

test('E4: an error that no handler answers shows neither a stack nor a path', async () => {
  const app = express().get('/', () => {
    throw new Error('the reason');
  });
  const lines: string[] = [];
  const { server } = httpServer(app, pino({}, { write: (line: string) => void lines.push(line) }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/', '/nothing']) {
    const [answer] = await once(ask({ port, path }).end(), 'response');
    expect([answer.statusCode, await text(answer)]).toEqual([500, 'The bank failed.\n']);
  }
  expect(lines[0]).toContain('the reason');
  server.close();
});
