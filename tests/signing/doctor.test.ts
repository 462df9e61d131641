import { constants, createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openDoctor } from '../../api/signing/doctor.ts';
import { certainFacts } from '../../api/signing/signature/signature-value-check.ts';
import { differenceOf, explained, Mismatch } from '../../api/signing/doctor/mismatch.ts';
import { type Question, search } from '../../api/signing/doctor/search.ts';
import { readSignatureBlock } from '../../api/signing/doctor/signature-block.ts';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import { signedAt, testCertificate } from '../lab/certificates.ts';
import { call, headerOf, signedHeaders, withHeader } from './signed-call.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const text = Buffer.from('date: Tue, 30 Mar 2027 08:00:00 GMT');
const never = () => false;

describe('what the signature value alone tells', () => {
  const read = (value: Uint8Array) => readSignatureBlock(value, publicKey);

  test.each(['sha256', 'sha1', 'sha512', 'sha384', 'sha224', 'md5'])('G12: the hash %s, and its value', (hash) => {
    const digest = createHash(hash).update(text).digest();
    expect(read(sign(hash, text, privateKey))).toEqual({ kind: 'hash', hash, digest });
  });

  const { RSA_PSS_SALTLEN_MAX_SIGN: most, RSA_PKCS1_PSS_PADDING: padding } = constants;
  const kindsOf = (count: number, value: (index: number) => Buffer): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      const block = read(value(index));
      return block.kind === 'pss' ? `pss ${String(block.hash)}` : block.kind;
    });

  // Salts are random, and 300 of them find what one in a hundred shows.
  test.each([
    ['sha256', 32],
    ['sha256', 20],
    ['sha384', 48],
    ['sha512', 64],
    ['sha1', 20],
  ])('G12: 300 times RSA-PSS with %s and a salt of %d bytes', (hash, saltLength) => {
    const told = kindsOf(300, () => sign(hash, text, { key: privateKey, padding, saltLength }));
    expect(new Set(told)).toEqual(new Set([`pss ${hash}`]));
  });

  test.each(['sha256', 'sha512'])(
    'G12: 600 times RSA-PSS with %s and the longest salt: no other hash is told',
    (hash) => {
      const told = kindsOf(600, () => sign(hash, text, { key: privateKey, padding, saltLength: most }));
      expect(new Set(told)).toEqual(new Set([`pss ${hash}`, 'pss null']));
      expect(told.filter((one) => one === `pss ${hash}`).length).toBeGreaterThan(400);
      expect(certainFacts({ kind: 'pss', hash: null })).toMatch(/^It is made with RSA-PSS\. Sign with /);
    },
  );

  test('G12: signatures by another key are told as that; one in some thousands looks like PSS by chance', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const told = kindsOf(300, (index) => sign('sha256', Buffer.from(`date: ${index}`), other));
    expect(told.filter((one) => one === 'another key').length).toBeGreaterThanOrEqual(297);
  });

  test('G12: any bytes are told as something', () => {
    for (const length of [0, 1, 32, 64, 71, 255, 256, 257, 512]) {
      expect(read(Buffer.alloc(length, 0xff)).kind).toMatch(/length|another key/);
      expect(read(Buffer.alloc(length)).kind).toMatch(/length|another key|no hash/);
    }
  });
});

const good = signedHeaders();
const request = call(good);
const names = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];
const line = (name: string): string => `${name}: ${headerOf(good, name)}`;
const right = names.map(line).join('\n');
const asked = (signed: string, changes: object = {}): Question => {
  const digest = createHash('sha256').update(signed).digest();
  return { kind: 'signature', hash: 'sha256', digest, request: { ...request, ...changes }, names };
};

describe('the search', () => {
  test('G12: what is found has the hash that was signed, character for character', () => {
    const signed = `${right.replaceAll('\n', '\r\n')}\r\n`;
    expect(search(asked(signed), never)?.received).toBe(signed);
  });

  test('G12: three mistakes at once', () => {
    const signed = `${names
      .map((name) =>
        line(name)
          .replace(': ', ':')
          .replace(/^[^:]*/, (one) => one.toUpperCase()),
      )
      .join('\n')}\n`;
    const answer = search(asked(signed), never);
    expect(answer?.received).toBe(signed);
    expect(answer?.sentence).toBe(
      "Your signing string ends with a line break and has no blank after the colons and has the names in capitals. Put none after the last line. Write each line as 'name: value'. Write the names in lower case.",
    );
  });

  test('G12: the bank string itself is no mistake', () => {
    expect(search(asked(right), never)).toEqual({ sentence: '', received: right });
  });

  test('G12: it ends when its time is over', () => {
    let looks = 0;
    expect(search(asked('another text'), () => (looks += 1) > 3)).toBeNull();
    expect(looks).toBe(4);
  });

  test('G12: any order of five headers', () => {
    const signed = ['psu-id', 'date', 'tpp-redirect-uri', 'digest', 'x-request-id'].map(line).join('\n');
    expect(search(asked(signed), never)?.sentence).toContain(
      'has the order psu-id date tpp-redirect-uri digest x-request-id',
    );
  });

  test.each([
    ['hostile headers', { rawHeaders: Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? `x-${at}` : '%')) }],
    ['a body that is no JSON', { body: Buffer.from('{"a":') }],
    ['a body nested deep', { body: Buffer.from('['.repeat(100_000)) }],
    ['a body with a lone surrogate', { body: Buffer.from('{"a":"\\ud800"}') }],
    ['a target that does not decode', { target: '/v1/%' }],
  ])('G12: %s: it finds nothing and throws nothing', (_case, changes) => {
    let looks = 0;
    expect(search(asked('another text', changes), () => (looks += 1) > 20)).toBeNull();
  });
});

test('the first difference of two signing strings', () => {
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 2')).toBeNull();
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 3')).toEqual({ line: 2, column: 4, expected: '2', received: '3' });
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 2\n')).toEqual({ line: 2, column: 5, expected: '', received: '\n' });
  expect(differenceOf('a: 1\nb: 2', 'a: 1\r\nb: 2')).toEqual({ line: 1, column: 5, expected: '\n', received: '\r\n' });
});

describe('the thread', () => {
  const doctor = openDoctor();
  afterAll(() => doctor.close());
  const facts = {
    code: 'SIGNATURE_INVALID',
    path: 'signature',
    text: ['It does not fit.', 'The end.'],
    certain: 'Certain facts.',
    answerSays: 'all',
    question: asked(`${right}\n`),
    expected: right,
    received: null,
  } as const;
  const textOf = ({ faults }: Mismatch): string => faults[0].text;

  test('G12: a refusal waits while no other search is under way; else the finding comes later', async () => {
    const ask = () => [explained(new Mismatch(facts), doctor), explained(new Mismatch(facts), doctor)] as const;
    const certain = 'It does not fit. Certain facts. The end.';
    let [first, second] = ask();
    // On a busy machine the first one may come too late as well. The limit of the test ends it.
    while (textOf(await first) === certain) {
      await (
        await first
      ).diagnosis;
      [first, second] = ask();
    }
    const later = await second;
    expect(textOf(later)).toBe(certain);
    const found = {
      finding: 'It does not fit. Your signing string ends with a line break. Put none after the last line.',
      expected: right,
      received: `${right}\n`,
      difference: expect.objectContaining({ line: 5, expected: '', received: '\n' }),
    };
    expect(await later.diagnosis).toEqual(found);
    expect(textOf(await first)).toBe(`${found.finding} The end.`);
    expect(await (await first).diagnosis).toEqual(found);
  });

  test('G12: questions that wait are bounded; one more is told the certain facts', async () => {
    const asking = Array.from({ length: 150 }, () => doctor.ask(asked(`${right}\n`)).answer);
    const answers = await Promise.all(asking);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(51);
    expect(answers.slice(51).every((answer) => answer === null)).toBe(true);
  }, 120_000);

  test('G12: of a body over 256 KB only the string is looked for', async () => {
    const large = Buffer.from(JSON.stringify(['x'.repeat(300 * 1024)]));
    expect(
      await doctor.ask({
        kind: 'digest',
        hash: 'sha256',
        digest: createHash('sha256').update(`${large}\n`).digest(),
        body: large,
      }).answer,
    ).toBeNull();
    expect((await doctor.ask(asked(`${right}\n`, { body: large })).answer)?.sentence).toMatch(/line break/);
  }, 120_000);

  test('G12: it ends with the last doctor, and a new one starts it again', async () => {
    const other = openDoctor();
    const open = other.ask(asked('another text')).answer;
    await doctor.close();
    await other.close();
    expect(await open).toBeNull();
    expect(await other.ask(asked(`${right}\n`)).answer).toBeNull();
    const third = openDoctor();
    expect((await third.ask(asked(`${right}\n`)).answer)?.received).toBe(`${right}\n`);
    await third.close();
  });
});

describe('without a doctor', () => {
  test('G12: the certain facts are told, and nothing else changes', async () => {
    const check = createSignatureCheck({ trust: 'any', doctor: null });
    const value = sign('sha512', Buffer.from(right), createPrivateKey(testCertificate().keyPem)).toString('base64');
    const signature = headerOf(good, 'Signature').replace(/signature="[^"]*"/, `signature="${value}"`);
    const refused = check(call(withHeader(good, 'Signature', signature)), signedAt, null);
    await expect(refused).rejects.toThrow(
      'It is made with SHA-512, which only a Digest may have: algorithm="rsa-sha256" names the hash of the signature. Sign with SHA-256 (rsa-sha256).',
    );
    await expect(check(request, signedAt, null)).resolves.toBeDefined();
  });

  test('G12: the key of the certificate is the one that is asked', () => {
    const key = createPublicKey(testCertificate().keyPem);
    const value = Buffer.from(/signature="([^"]*)"/.exec(headerOf(good, 'Signature'))?.[1] ?? '', 'base64');
    const digest = createHash('sha256').update(right).digest();
    expect(readSignatureBlock(value, key)).toEqual({ kind: 'hash', hash: 'sha256', digest });
  });
});
