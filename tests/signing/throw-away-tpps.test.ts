import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Instant } from '../../engine/values/instant.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { testTppId, ThrowAwayTpps } from '../../api/signing/test-tpp.ts';
import { sandboxCaFor } from '../../api/start/trusted-cas.ts';
import { testCertificate } from '../lab/certificates.ts';
import { call, judge, refusalOf } from './signed-call.ts';

const now = Date.UTC(2027, 2, 24) as Instant;
const year = 365 * 86_400_000;
const ca = sandboxCaFor(':memory:');
let tpps: ThrowAwayTpps;
beforeAll(() => {
  tpps = new ThrowAwayTpps(ca);
});

function signedBy(credentials: Parameters<typeof signHeaders>[0] | { certificate: string; key: string }) {
  const { certificate, key } = credentials;
  const target = '/v1/accounts';
  const request = { method: 'GET', target, headers: {}, body: new Uint8Array() };
  const added = signHeaders({ ...request, certificate, key, date: now, requestId: 'one' });
  return call(Object.entries(added), { method: 'GET', target, body: new Uint8Array() });
}

test('a TPP is made once, however many ask at once, and signs for both roles under ca', async () => {
  const [one, same, other] = await Promise.all([tpps.get('a', now), tpps.get('a', now), tpps.get('b', now)]);
  expect(same).toEqual(one);
  expect(other.key).not.toBe(one.key);
  const trustedCas = [(await ca()).certificatePem];
  for (const role of ['PSP_PI', 'PSP_AI'] as const) {
    const tpp = await judge(signedBy(one), { now, role, trust: 'ca', trustedCas });
    expect(tpp.id).toBe(testTppId('a'));
  }
});

test('G8: when its certificate has expired it gets a new one, and is the same TPP', async () => {
  const [first, later] = [await tpps.get('a', now), await tpps.get('a', (now + year) as Instant)];
  expect(later.certificate).not.toBe(first.certificate);
  const names = [first, later].map(({ certificate }) => new X509Certificate(certificate).subject);
  expect(names[1]).toBe(names[0]);
  expect(await tpps.get('a', (now + year) as Instant)).toEqual(later);
});

test('what is put under a name signs from then on, with its roles, and is kept when it has expired', async () => {
  await tpps.get('shop', now);
  const issued = testCertificate({
    roles: ['PSP_AI'],
    validFrom: (now - 2) as Instant,
    validTo: (now + 1000) as Instant,
  });
  tpps.put('shop', { certificate: issued.certificatePem, key: issued.keyPem });
  const signed = signedBy(await tpps.get('shop', now));
  await judge(signed, { now, role: 'PSP_AI' });
  expect((await refusalOf(signed, { now, role: 'PSP_PI' })).code).toBe('ROLE_INVALID');
  expect((await tpps.get('shop', (now + year) as Instant)).certificate).toBe(issued.certificatePem);
});

test('a CA that fails once is asked again', async () => {
  let fails = true;
  const failing = new ThrowAwayTpps(() => (fails ? Promise.reject(new Error('no room')) : ca()));
  await expect(failing.get('a', now)).rejects.toThrow('no room');
  fails = false;
  await expect(failing.get('a', now)).resolves.toMatchObject({ certificate: expect.stringContaining('BEGIN') });
});

test('a thousand are held; one more takes the place of the one that was asked for longest ago', async () => {
  const many = new ThrowAwayTpps(ca);
  const issued = testCertificate();
  const put = (name: string) => many.put(name, { certificate: `${name} ${issued.certificatePem}`, key: issued.keyPem });
  for (let index = 0; index < 1_000; index += 1) put(`tpp-${index}`);
  expect((await many.get('tpp-0', now)).certificate).toContain('tpp-0 ');
  put('another');
  expect((await many.get('tpp-0', now)).certificate).toContain('tpp-0 ');
  expect((await many.get('tpp-1', now)).certificate).toMatch(/^-----BEGIN/);
});
