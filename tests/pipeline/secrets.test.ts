import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validCertificate } from '../lab/server.ts';
import { newBankToken } from '../../api/pipeline/control-token.ts';
import { maskedHeaders, maskOf } from '../../api/pipeline/masking/secrets.ts';
import { spellingsOf, tells } from '../lab/secret-spellings.ts';
import { seeded } from '../lab/seeded.ts';

const token = 'a-Token/with+16=chars';
const mask = maskOf([token]);
const utf8 = (text: string): Buffer => Buffer.from(text);
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const percent = (text: string): string => [...utf8(text)].map((byte) => `%${hex(byte)}`).join('');
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('C3: a control token is *** however it is spelled', () => {
  test.each([
    ['raw', token],
    ['percent-encoded', encodeURIComponent(token)],
    ['percent-encoded to the last letter', percent(token)],
    ['in capital digits', percent(token).toUpperCase().replaceAll('X', 'x')],
    ['in a form', new URLSearchParams({ token }).toString().slice('token='.length)],
    ['percent-encoded twice', encodeURIComponent(percent(token))],
    ['percent-encoded three times', encodeURIComponent(encodeURIComponent(percent(token)))],
    ['as JSON', JSON.stringify(token).slice(1, -1)],
    ['as JSON of PHP', token.replaceAll('/', '\\/')],
    ['as JSON, each letter escaped', unicode(token)],
    ['as JSON in JSON', JSON.stringify(unicode(token)).slice(1, -1)],
    ['as JSON in a form', encodeURIComponent(unicode(token))],
    ['half one, half the other', percent(token.slice(0, 7)) + unicode(token.slice(7, 12)) + token.slice(12)],
    ['as UTF-16', Buffer.from(token, 'utf16le').toString('latin1').slice(0, -1)],
    ['over two lines of a header', `${token.slice(0, 9)}\r\n ${token.slice(9)}`],
  ])('%s', (_, spelling) => {
    for (const [before, after] of [
      ['', ''],
      ['/v1/accounts?x=', '&y=1'],
      ['{"a":"', '","b":[]}'],
      ['%', '%'],
      ['\\', '\\'],
    ] as const) {
      // A sign before an escape may be part of it.
      const text = mask(before + spelling + after);
      expect([text.includes('***'), text.includes(token), text.length < before.length + after.length + 6]).toEqual([
        true,
        false,
        true,
      ]);
    }
  });

  test('base64 and base64url, at each alignment in a longer text, escaped too', () => {
    for (const secret of [token, '~~~???>>>|||{{{}}}', 'ÿ'.repeat(9)]) {
      const hide = maskOf([secret]);
      for (const before of ['', 'u', 'us', 'user:', 'us:']) {
        for (const after of ['', '!', '!!', '!!!']) {
          for (const encoding of ['base64', 'base64url'] as const) {
            const spelling = utf8(before + secret + after).toString(encoding);
            for (const text of [spelling, encodeURIComponent(spelling), unicode(spelling), percent(spelling)]) {
              const left = hide(`"${text}"`);
              expect(left).toContain('***');
              // What is left has no whole byte of the secret.
              expect(
                Buffer.from(decodeURIComponent(left.replace(/\\u00/g, '%')).split('***')[0] ?? '', 'base64').length,
              ).toBeLessThan(before.length + 2);
            }
          }
        }
      }
    }
  });

  test('base64 on lines of 76', () => {
    for (let length = 30; length < 80; length += 1) {
      const lines = (
        utf8(`${'x'.repeat(length)}${token}`)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n');
      expect(mask(lines)).toContain('***');
    }
  });

  test('any mix of raw and escaped characters, in any text', () => {
    // A raw backslash before an escape is none.
    const ways = (each: string): string[] =>
      [each, percent(each), percent(each).toUpperCase(), unicode(each)].slice(each === '\\' ? 1 : 0);
    const spelled = (secret: string): fc.Arbitrary<string> =>
      fc.tuple(...[...secret].map((each) => fc.constantFrom(...ways(each)))).map((all) => all.join(''));
    const secrets = fc.string({
      minLength: 16,
      maxLength: 40,
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const around = fc.string({ unit: fc.constantFrom('a', '/', '"', '{', '1', '=', '&') });
    fc.assert(
      fc.property(
        secrets.chain((secret) => fc.tuple(fc.constant(secret), spelled(secret), around, around)),
        ([secret, spelling, before, after]) => {
          const hide = maskOf([secret]);
          expect(hide(before + spelling + after)).toContain('***');
          expect(hide(before + secret + after)).toBe(`${before}***${after}`);
        },
      ),
      { seed: 1, numRuns: 2_000 },
    );
  });

  test.each([
    ['\\', '"', 'n', '/', ' '],
    ['\\\\\\', '"', 'n', '/', ' '],
    ['%', '41', '2f', '"'],
    ['%4', '1', 'f', '"'],
    ['\\u', '0041', ' '],
    ['\\u004', '1', ' '],
  ])('escaped but for %s at its end, which reads as an escape with what is behind it', (end, ...behind) => {
    const secret = 'k9VI9jl10zedmW{=vSEWqF3dwl';
    for (const after of behind)
      expect(maskOf([secret + end])(`{"x":"${percent(secret)}${end}${after}`)).toContain('"***');
  });

  test('with a blank, a plus in a form', () => {
    const hide = maskOf([], ['X-Api-Key', 'a key with blanks']);
    for (const text of ['a+key+with+blanks', 'a+key%20with blanks', percent('a key with blanks')]) {
      expect(hide(`x=${text}&y`)).toBe('x=***&y');
    }
  });

  test('its beginning where a text was cut', () => {
    const cut = `{"a":"${token}`.slice(0, 15);
    expect(mask(cut, true)).toBe('{"a":"***');
    expect(mask(`${cut}… is wrong`)).toBe('{"a":"***… is wrong');
    expect(mask(cut)).toBe(cut);
  });

  test('nothing else', () => {
    for (const text of ['', 'x', '/v1/accounts', 'a-Token/with+16=char', '100 % \\ %zz \\u12', 'é%C3%A9\u2028']) {
      expect(mask(text)).toBe(text);
    }
  });
});

describe('C3: a secret of which a text has the beginning alone', () => {
  /** The text with `***` in place of the secret and of each beginning of four characters or more before a cut: tries each length. */
  const naive = (text: string, secret: string, isCut: boolean): string => {
    const isHidden = Array.from(text, () => false);
    const hide = (from: number, to: number): void => void isHidden.fill(true, from, to);
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      hide(at, at + secret.length);
    Array.from(`${text}${isCut ? '…' : ''}`).forEach((letter, end) => {
      const part =
        letter === '…' &&
        [...Array.from(secret).keys()]
          .toReversed()
          .find((n) => n >= 4 && text.slice(0, end).endsWith(secret.slice(0, n)));
      if (part) hide(end - part, end);
    });
    return Array.from(text, (letter, at) => (isHidden[at] ? '*' : letter))
      .join('')
      .replaceAll(/\*+/g, '***');
  };

  test('before an ellipsis, or at the end of a text that is cut', () => {
    const letters = (...units: string[]) => ({ unit: fc.constantFrom(...units), minLength: 8, maxLength: 24 });
    fc.assert(
      fc.property(
        fc.string(letters('a', 'b')),
        fc.string(letters('a', 'b', '…')),
        fc.boolean(),
        (secret, text, isCut) => {
          expect(maskOf([secret])(text, isCut)).toBe(naive(text, secret, isCut));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('50 secrets of one request are looked for, the longest', () => {
    const all = Array.from({ length: 60 }, (_, at) => `secret-${at}-${'x'.repeat(at)}`);
    const hide = maskOf(
      [],
      all.flatMap((secret) => ['Authorization', secret]),
    );
    expect(all.filter((secret) => hide(`<${secret}>`) === `<${secret}>`)).toEqual(all.slice(0, 10));
    expect(maskedHeaders([['Authorization', all[0] ?? '']], hide)).toEqual([['Authorization', '***']]);
  });
});

describe('C3: values of headers', () => {
  const value = 'a-key-of-ours';

  test.each([
    ['X-Api-Key', value],
    ['x-api-key', value],
    ['Authorization', `Bearer ${value}`],
    ['Authorization', value],
    ['Proxy-Authorization', `Basic ${value}`],
    ['Cookie', `a=1; session=${value}`],
    ['Sandbank-Control-Token', value],
    // C3b: headers of gateways, by a word in their name.
    ['Ocp-Apim-Subscription-Key', value],
    ['X-IBM-Client-Secret', value],
    ['X-Auth', value],
    ['Client-Credentials', value],
    ['x-gateway-password', value],
  ])('%s: %s, wherever the request has it', (name, header) => {
    const hide = maskOf([], ['Host', 'localhost', name, header]);
    for (const text of [value, percent(value), unicode(value), utf8(`x:${value}`).toString('base64')]) {
      expect(hide(`<${text}>`)).toMatch(/^<\w?\w?\w?\*\*\*=*>$/);
    }
    expect(hide(`host: x\n${name.toLowerCase()}: ${header}\ndate: y`)).toBe(
      `host: x\n${name.toLowerCase()}: ***\ndate: y`,
    );
  });

  test('C3b: Idempotency-Key, Signature and the headers of the interface stay', () => {
    const pairs = [
      ['Idempotency-Key', 'c3b-0123456789'],
      ['Signature', 'keyId="SN=1"'],
      ['TPP-Signature-Certificate', 'MIIB'],
      ['X-Request-ID', 'id-12345678'],
    ] as const;
    const hide = maskOf([], pairs.flat());
    expect(maskedHeaders(pairs, hide)).toEqual(pairs);
    expect(maskedHeaders([['X-Token', 'a']], hide)).toEqual([['X-Token', '***']]);
    const lines = pairs.map((pair) => pair.join(': ')).join('\r\n');
    expect(hide(lines)).toBe(lines);
  });

  test('a short one in its header only', () => {
    const hide = maskOf([], ['Authorization', 'bank']);
    expect(hide('the bank\nauthorization: bank')).toBe('the bank\nauthorization: ***');
  });

  test.each([
    ['NULs', '%00%00%00'],
    ['NULs and a letter', '%00%00b'],
    ['a byte order mark and a letter', utf8('\uFEFFb').toString('latin1')],
  ])(
    'C3b: %s are masked as they stand, and what is left of them without their escapes masks no other text',
    (_, value) => {
      const hide = maskOf([], ['X-Api-Key', value]);
      expect(hide(`the bank <${value}>`)).toBe('the bank <***>');
    },
  );

  test('letters beyond ASCII, as bytes and as text', () => {
    const secret = 'nøkkelen-vår';
    const hide = maskOf([], ['X-Api-Key', utf8(secret).toString('latin1')]);
    for (const text of [secret, utf8(secret).toString('latin1'), encodeURIComponent(secret), unicode(secret)]) {
      expect(hide(`<${text}>`)).toBe('<***>');
    }
  });
});

describe('C3: private keys', () => {
  const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
  const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey;
  const explicitEc = generateKeyPairSync('ec', { namedCurve: 'prime256v1', paramEncoding: 'explicit' });
  const keys = [
    ...[1024, 2048, 3072].flatMap((bits) => {
      const key = rsa(bits);
      return [key.export({ format: 'der', type: 'pkcs8' }), key.export({ format: 'der', type: 'pkcs1' })];
    }),
    ...['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'].flatMap((curve) => {
      const key = ec(curve);
      return [key.export({ format: 'der', type: 'pkcs8' }), key.export({ format: 'der', type: 'sec1' })];
    }),
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }),
    generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey.export({ format: 'der', type: 'pkcs8' }),
    rsa(1024).export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
    // What Node does not write: encrypted by PBES1 and by PKCS#12, an Edwards curve with its public key, DSA of 512 bits in both forms.
    ...[
      '3082012b301b06092a864886f70d010503300e0408',
      '3082012b301c060a2a864886f70d010c0103300e0408',
      '3051020101300506032b657004220420',
      '3081c60201003081a806072a8648ce38040130819c0241',
      '3081f8020100024100',
    ].map((beginning) => Buffer.concat([Buffer.from(beginning, 'hex'), randomBytes(200)])),
    ...[512, 1000, 1032, 2047].map((bits) => rsa(bits).export({ format: 'der', type: 'pkcs1' })),
    ...['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP512t1'].flatMap((curve) => {
      const key = ec(curve);
      return [key.export({ format: 'der', type: 'pkcs8' }), key.export({ format: 'der', type: 'sec1' })];
    }),
    explicitEc.privateKey.export({ format: 'der', type: 'sec1' }),
    explicitEc.privateKey.export({ format: 'der', type: 'pkcs8' }),
    dsa.export({ format: 'der', type: 'pkcs8' }),
    // The types of Node leave out DH.
    generateKeyPairSync('dh' as 'x25519', { group: 'modp14' } as object).privateKey.export({
      format: 'der',
      type: 'pkcs8',
    }),
    generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }),
  ];
  const wrapped = (text: string, end: string): string => (text.match(/.{1,64}/g) ?? []).join(end);

  test('without their PEM lines: on one line, on many, escaped, base64url, at each alignment', () => {
    for (const der of keys) {
      const one = der.toString('base64');
      for (const text of [
        one,
        percent(one),
        unicode(one),
        encodeURIComponent(one),
        JSON.stringify(wrapped(one, '\n')).slice(1, -1),
        encodeURIComponent(wrapped(one, '\r\n')),
        wrapped(one, '\n'),
        wrapped(one, '\r\n'),
        der.toString('base64url'),
        ...[0, 1, 2].map((before) => utf8('x'.repeat(before) + one).toString('base64')),
        ...[1, 2, 3, 4].map((before) => Buffer.concat([Buffer.alloc(before, 7), der]).toString('base64')),
      ]) {
        expect(maskOf([])(`{"key":"${text}"}`)).toBe('{"key":"***"}');
      }
    }
  });

  test('with their PEM lines, escaped or in base64, and cut', () => {
    const pem = String(rsa(2048).export({ format: 'pem', type: 'pkcs8' }));
    for (const text of [
      pem,
      JSON.stringify(pem).slice(1, -1),
      encodeURIComponent(pem),
      new URLSearchParams({ pem }).toString(),
      utf8(pem).toString('base64'),
      utf8(`x${pem}`).toString('base64'),
      pem.slice(0, 300),
    ]) {
      const left = maskOf([])(text);
      expect(left).toContain('***');
      expect(left.length).toBeLessThan(20);
    }
  });

  test('no certificate, public key or request for one is masked', () => {
    for (const { publicKey } of [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
      explicitEc,
      generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
    ]) {
      for (const text of [
        String(publicKey.export({ format: 'pem', type: 'spki' })),
        publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      ]) {
        expect(maskOf([])(text)).toBe(text);
      }
    }
  });

  // The bytes of its algorithm stand at another place of the base64 in each.
  test.each(['A', 'AB', 'ABC'])('no certificate is masked, of a TPP of %s', (organization) => {
    const { certificateBase64, certificatePem } = validCertificate({ organization });
    for (const text of [certificateBase64, certificatePem]) expect(maskOf([])(text)).toBe(text);
  });
});

test.each([
  ['rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ec', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ed25519', () => generateKeyPairSync('ed25519')],
])('C3: the private members of a key as JWK are ***: %s', (_kind, make) => {
  const jwk = make().privateKey.export({ format: 'jwk' });
  const text = maskOf([])(JSON.stringify({ keys: [jwk] }));
  const masked = JSON.parse(text) as { keys: Record<string, string>[] };
  for (const [name, value] of Object.entries(jwk)) {
    const isPrivate = ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(name);
    expect([name, masked.keys[0]?.[name]]).toEqual([name, isPrivate ? '***' : value]);
  }
});

test('C3, H: a token of a bank is *** by its form, in every spelling and where a text was cut', () => {
  const seed = Date.now() % 1_000_000;
  const random = seeded(seed);
  const hide = maskOf([]);
  for (let times = 0; times < 60; times += 1) {
    const own = newBankToken();
    const parts = [own.slice(4), own.slice(8, 30)];
    const spellings = [...spellingsOf(own, random), ['two lines', `${own.slice(0, 20)}\r\n ${own.slice(20)}`]] as const;
    for (const [way, spelling] of spellings) {
      const left = hide(`/v1/accounts?x=${spelling}&y=1`);
      expect([seed, way, left.includes('&y=1'), parts.some((part) => tells(left, part))]).toEqual([
        seed,
        way,
        true,
        false,
      ]);
    }
    const utf16 = Buffer.from(own, 'utf16le').toString('latin1').slice(0, -1);
    expect(hide(utf16)).toBe('***');
    for (const text of [own, Buffer.from(`user:${own}`).toString('base64')]) {
      const part = text.slice(0, 20 + random.below(text.length - 24));
      expect([hide(`x ${part}…`), hide(`x ${part}`, true)].join()).not.toContain(part.slice(-8));
    }
  }
  for (const text of ['sbt_', 'sbt_short', `sbt_${'a'.repeat(42)}`, 'a subtle word']) expect(hide(text)).toBe(text);
});

test('C3: an X-Api-Key of four characters is *** in other places too', () => {
  expect(maskOf([], ['X-Api-Key', 'pw12'])('/v1/accounts?key=pw12')).toBe('/v1/accounts?key=***');
});
