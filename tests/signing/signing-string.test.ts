import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { receivedHeaders, signingString } from '../../api/signing/signature/signing-string.ts';
import { verifySignature } from '../../api/signing/signature/check-signature-and-digest.ts';
import { Refusal } from '../../engine/values/fault.ts';
import canonical from '../data/http-signature/canonicalisation.json' with { type: 'json' };
import vectors from '../data/http-signature/cavage-joyent-w3c.json' with { type: 'json' };

describe('signing string', () => {
  test.each(canonical)(
    'interface, TPP authentication 7: $name',
    ({ headers, sign, expect: expected, expectError, method, path }) => {
      const received = receivedHeaders((headers as string[][]).flat());
      const text = () => signingString({ method: method ?? 'GET', target: path ?? '/' }, received, sign);
      if (expectError === true) expect(text).toThrow(Refusal);
      else expect(text()).toBe(expected);
    },
  );
});

describe('published signatures', () => {
  // Their key has 1024 bits, which the certificate check refuses (G5); the arithmetic is the same.
  const key = createPublicKey(vectors.publicKeyPem);

  test.each(vectors.cases)('interface, TPP authentication 7: $name', async (vector) => {
    const received = receivedHeaders(Object.entries(vector.headers).flat());
    // Without a headers part the draft signs the date alone; our contract demands the part.
    const names = vector.headersParameter ?? ['date'];
    const text = signingString({ method: vector.method, target: vector.path }, received, names);
    expect(text).toBe(vector.signingString);
    expect(await verifySignature(text, Buffer.from(vector.signature, 'base64'), key)).toBe(vector.verified);
    expect(await verifySignature(`${text} `, Buffer.from(vector.signature, 'base64'), key)).toBe(false);
  });
});

test('G5: a right signature by an elliptic curve key does not count', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const value = sign('RSA-SHA256', Buffer.from('date: x'), privateKey);
  expect(await verifySignature('date: x', value, publicKey)).toBe(false);
});
