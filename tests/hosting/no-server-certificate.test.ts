import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, test } from '@jest/globals';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { issueAuthority } from '../../api/signing/certificate-kit.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';
import { testWith } from '../support/test-with.ts';

/* G13: who trusts the sandbox CA for a bank trusts no TPP as a server. The judge is TLS of Node. */

const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00', ['--sign-answers=1']);
const day = 86_400_000;
const [from, to] = [-day, day].map((after) => (systemClock.now() + after) as Instant) as [Instant, Instant];

/** Whether a client that trusts this CA takes these certificates as those of the server `host`: null, or why not. */
async function refusalOf(host: string, ca: string, cert: string, key: string): Promise<string | null> {
  const server = createServer({ cert, key }).on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername: host, ca });
  const refused = await Promise.race([
    once(socket, 'secureConnect').then(() => null),
    once(socket, 'error').then(([error]) => String((error as NodeJS.ErrnoException).code)),
  ]).catch((error: NodeJS.ErrnoException) => String(error.code));
  socket.destroy();
  server.close();
  return refused;
}

const caOf = async (): Promise<string> => (await fetch(`${bank.address}/sandbox/ca`)).text();

test.each([null, 'self-signed'])(
  'G13: the certificate of a TPP named gitlab (%s) is none of the server gitlab',
  async (fault) => {
    const body = { name: 'gitlab', ...(fault !== null && { fault }) };
    const made = (await bank.control('POST', '/sandbox/certificates', body)).body;
    const ca = fault === null ? await caOf() : made.certificate;
    expect(await refusalOf('gitlab', ca, made.certificate, made.key)).toBe('INVALID_PURPOSE');
  },
);

test('G13: the CA issues no other CA', async () => {
  const authority = await issueAuthority('Sandbank CA');
  const common = { organization: 'x', roles: null, validFrom: from, validTo: to } as const;
  const below = issueCertificate({ ...common, commonName: 'Below', authority: true, issuer: authority });
  const direct = issueCertificate({ ...common, commonName: 'host', hosts: ['host'], issuer: authority });
  const far = issueCertificate({ ...common, commonName: 'host', hosts: ['host'], issuer: below });
  expect(await refusalOf('host', authority.certificatePem, direct.certificatePem, direct.keyPem)).toBe(null);
  const chain = far.certificatePem + below.certificatePem;
  expect(await refusalOf('host', authority.certificatePem, chain, far.keyPem)).toBe('PATH_LENGTH_EXCEEDED');
});

test("G13: the seal of the bank has a purpose, which is not a server's", async () => {
  const { certificate } = (await bank.raw('GET', '/sandbox/bank-certificate')).body;
  expect(new X509Certificate(certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.36']);
});

testWith(hasOpenssl, 'openssl')(
  'G13: openssl takes it as a certificate of the CA, and not as one of a server',
  async () => {
    const made = (await bank.control('POST', '/sandbox/certificates', { name: 'gitlab' })).body;
    const [ca, cert] = [join(folder, 'ca.pem'), join(folder, 'gitlab.pem')];
    writeFileSync(ca, await caOf());
    writeFileSync(cert, made.certificate);
    const verify = (...purpose: string[]) =>
      execFileSync('openssl', ['verify', '-CAfile', ca, ...purpose, cert], { encoding: 'utf8', stdio: 'pipe' });
    expect(verify()).toBe(`${cert}: OK\n`);
    expect(() => verify('-purpose', 'sslserver')).toThrow(
      /unsuitable certificate purpose|unsupported certificate purpose/,
    );
  },
);
