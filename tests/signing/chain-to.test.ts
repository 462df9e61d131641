import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { chainTo } from '../../api/signing/certificate/certificate-check.ts';
import { type Forge, loadForge } from '../../api/signing/certificate/issue-certificate.ts';
import type { Instant } from '../../engine/values/instant.ts';

const { pki } = loadForge();
type Keys = ReturnType<Forge['pki']['rsa']['generateKeyPair']>;

const [rootKeys, middleKeys, leafKeys] = [keyPair(), keyPair(), keyPair()];
const now = Date.UTC(2027, 2, 30) as Instant;

/** Made by node:crypto: node-forge takes seconds for one. */
function keyPair(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privateKey: pki.privateKeyFromPem(privateKey), publicKey: pki.publicKeyFromPem(publicKey) };
}

/** A renewal differs from the one before in its years alone: key and subject are the same. */
function issued(name: string, keys: Keys, by: readonly [name: string, keys: Keys], years: readonly [number, number]) {
  const certificate = pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = `0${years[0]}`;
  certificate.validity.notBefore = new Date(Date.UTC(years[0], 0));
  certificate.validity.notAfter = new Date(Date.UTC(years[1], 0));
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer([{ name: 'commonName', value: by[0] }]);
  certificate.setExtensions([{ name: 'basicConstraints', cA: name !== 'Leaf' }]);
  const { md } = loadForge();
  certificate.sign(by[1].privateKey, md.sha256.create());
  return new X509Certificate(pki.certificateToPem(certificate));
}

const root = ['Root', rootKeys] as const;
const middle = ['Middle', middleKeys] as const;
const [oldRoot, newRoot] = [issued(...root, root, [2016, 2026]), issued(...root, root, [2026, 2036])];
const [oldMiddle, newMiddle] = [issued(...middle, root, [2016, 2026]), issued(...middle, root, [2026, 2036])];
const ofRoot = issued('Leaf', leafKeys, root, [2026, 2028]);
const ofMiddle = issued('Leaf', leafKeys, middle, [2026, 2028]);

test.each([
  ['an authority and its renewal', ofRoot, [oldRoot, newRoot], 'valid'],
  ['the renewal before it', ofRoot, [newRoot, oldRoot], 'valid'],
  ['the expired one alone', ofRoot, [oldRoot], 'not valid now'],
  ['an intermediate one and its renewal', ofMiddle, [oldMiddle, newMiddle], 'valid'],
  ['both of both, the expired ones first', ofMiddle, [oldRoot, oldMiddle, newRoot, newMiddle], 'valid'],
  ['a valid one below an expired one', ofMiddle, [oldRoot, newMiddle], 'not valid now'],
  ['an expired one below a valid one', ofMiddle, [newRoot, oldMiddle], 'not valid now'],
  ['none of them', ofMiddle, [oldRoot, newRoot], 'unknown'],
] as const)('G6: any valid way up will do, with %s given', (_what, leaf, trusted, chain) => {
  expect(chainTo(trusted, leaf, now)).toBe(chain);
});

test.each([
  [Date.UTC(2026, 0) - 1, 'not valid now'],
  [Date.UTC(2026, 0), 'valid'],
  [Date.UTC(2036, 0), 'valid'],
  [Date.UTC(2036, 0) + 1, 'not valid now'],
])('G2, G6: the validity of an authority includes both ends: at %i it is %s', (at, chain) => {
  expect(chainTo([newRoot], ofRoot, at as Instant)).toBe(chain);
});
