import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redirectAddress } from '../../api/interface/redirect-address.ts';
import { isRedirectAddress, redirectAddressWords, readHeaders } from '../../api/pipeline/request-headers.ts';
import { faultsOf } from '../pipeline/faults-of.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/sample.ts';

const psuId = '0a4eba44-1a4b-47b8-bdd5-4e56ef026b19';
const approved = { psuId, corporateId: null, sessionId: null, context: 'PRIVATE' } as const;
const query = `psu-id=${psuId}&context=PRIVATE`;

test.each([
  ['nothing of its own', 'https://tpp.example/back', `https://tpp.example/back?${query}`],
  ['no path', 'https://tpp.example', `https://tpp.example?${query}`],
  ['a query', 'https://tpp.example/back?state=1', `https://tpp.example/back?state=1&${query}`],
  ['a ? and nothing after it', 'https://tpp.example/back?', `https://tpp.example/back?${query}`],
  ['an & at the end', 'https://tpp.example/?a=1&', `https://tpp.example/?a=1&${query}`],
  ['a fragment', 'https://tpp.example/back#top', `https://tpp.example/back?${query}#top`],
  ['both', 'https://tpp.example/?a=1#b', `https://tpp.example/?a=1&${query}#b`],
  ['a ? inside the fragment', 'https://tpp.example/#/done?x=1', `https://tpp.example/?${query}#/done?x=1`],
  ['escapes of its own', 'https://tpp.example/a%20b?r=%2F%C3%A5', `https://tpp.example/a%20b?r=%2F%C3%A5&${query}`],
  ['a scheme of an app', 'myapp://cb', `myapp://cb?${query}`],
  ['a scheme of an app and a query', 'no.bank.app://cb/x?y=z', `no.bank.app://cb/x?y=z&${query}`],
])('A2: the address of the TPP is kept, with %s', (_what, redirectUri, address) => {
  expect(redirectAddress({ redirectUri, answer: approved })).toBe(address);
});

describe('A2h: the names of our parameters are ours', () => {
  const failed = { fault: { code: 'SCA_INVALID', text: 'No' } } as const;
  const failure = 'system=sandbank&status=400&code=SCA_INVALID&message=No';
  const at = 'https://tpp.example/back';

  test.each([
    ['a psu-id', '?psu-id=1', '?'],
    [
      'every name of ours',
      '?psu-id=1&psu-corporate-id&tpp-session-id=a&context=&system=1&status=2&code=3&message=4',
      '?',
    ],
    ['one twice, between others', '?b=1&psu-id=1&a=2&psu-id=2&b=3', '?b=1&a=2&b=3&'],
    ['an encoded name', '?a=1&%70su%2Did=1&c%6Fntext=CORPORATE', '?a=1&'],
    [
      'names that only begin or end so',
      '?psu-id2=1&x-psu-id=2&PSU-ID=3&codes=4',
      '?psu-id2=1&x-psu-id=2&PSU-ID=3&codes=4&',
    ],
    ['our names as values', '?a=psu-id&b=code=1', '?a=psu-id&b=code=1&'],
    ['empty parts', '?a=1&&code=2&', '?a=1&&'],
    ['a second question mark', '?a=1?psu-id=2&psu-id=3', '?a=1?psu-id=2&'],
    ['a question mark before a name', '?a=1&?psu-id=2', '?a=1&?psu-id=2&'],
    ['escapes that mean nothing', '?a=%&%zz=1&psu-id=%', '?a=%&%zz=1&'],
    ['the fragment', '?code=1#psu-id=2&code=3', '?', '#psu-id=2&code=3'],
  ])('A2h: TPP-Redirect-URI with %s', (_what, sent, kept, fragment = '') => {
    for (const base of [at, 'myapp://cb']) {
      const redirectUri = `${base}${sent}`;
      expect(redirectAddress({ redirectUri, answer: approved })).toBe(`${base}${kept}${query}${fragment}`);
      expect(redirectAddress({ redirectUri, answer: failed })).toBe(`${base}${kept}${failure}${fragment}`);
    }
  });

  test('A2h: whatever the query has, each of our names is there once or not at all, and the others in their order', () => {
    const own = ['psu-id', 'psu-corporate-id', 'tpp-session-id', 'context', 'system', 'status', 'code', 'message'];
    const name = fc.oneof(fc.constantFrom(...own), anyText({ maxLength: 5 }));
    const parameters = fc.array(fc.tuple(name, anyText({ maxLength: 5 })), { maxLength: 8 });
    fc.assert(
      fc.property(parameters, fc.constantFrom(approved, failed), (sent, answer) => {
        const sentQuery = new URLSearchParams(
          sent.map(([key, value]): [string, string] => [key.toWellFormed(), value.toWellFormed()]),
        );
        const address = new URL(redirectAddress({ redirectUri: `${at}?${String(sentQuery)}`, answer }));
        const read = [...address.searchParams];
        expect(read.filter(([key]) => !own.includes(key))).toEqual(
          [...sentQuery].filter(([key]) => !own.includes(key)),
        );
        const ours = read.filter(([key]) => own.includes(key)).map(([key]) => key);
        expect(ours).toEqual(answer === failed ? own.slice(4) : ['psu-id', 'context']);
      }),
    );
  });
});

describe('interface, Events 1: interface: redirect query parameters', () => {
  test('after success: psu-id, tpp-session-id and context', () => {
    const answer = { ...approved, sessionId: 'a b&c=\u00e5' };
    const address = redirectAddress({ redirectUri: 'https://tpp.example/', answer });
    expect(address).toBe(`https://tpp.example/?psu-id=${psuId}&tpp-session-id=a%20b%26c%3D%C3%A5&context=PRIVATE`);
  });

  test.each([
    ['PSU_CREDENTIALS_INVALID', 401],
    ['FORBIDDEN', 403],
    ['SCA_INVALID', 400],
    ['STATUS_INVALID', 409],
    ['CANCELLATION_INVALID', 405],
  ] as const)(
    'interface, Further rules 4: after a failure: system, status, code and message; %s is a %i',
    (code, status) => {
      const answer = { fault: { code, text: 'Nei & ja.' } };
      const address = redirectAddress({ redirectUri: 'https://tpp.example/', answer });
      expect(address).toBe(
        `https://tpp.example/?system=sandbank&status=${status}&code=${code}&message=Nei%20%26%20ja.`,
      );
    },
  );

  test('E1: a message is at most 512 characters', () => {
    const answer = { fault: { code: 'SCA_INVALID', text: 'x'.repeat(2_000) } } as const;
    const address = new URL(redirectAddress({ redirectUri: 'https://tpp.example/', answer }));
    expect(address.searchParams.get('message')).toHaveLength(512);
  });
});

test('whatever the texts hold, the address is printable ASCII and reads back as it was', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 100 }), fc.webUrl({ withQueryParameters: true }), (text, uri) => {
      const answer = { fault: { code: 'SCA_INVALID', text } } as const;
      const address = redirectAddress({ redirectUri: uri, answer });
      expect(address).toMatch(/^[\x21-\x7e]+$/);
      expect(new URL(address).searchParams.get('message')).toBe(text);
    }),
    { numRuns: runs(100) },
  );
});

describe('A2b: where a PSU may be sent', () => {
  test.each([
    'https://tpp.example/callback?state=1#top',
    'https://tpp.example:8443',
    'https://[2001:db8::1]/back',
    'http://localhost:3000',
    'http://web:3000/callback',
    'http://10.0.0.7/callback',
    'https://tpp.example/user@name?mail=a@b.example',
    'myapp://callback',
    'no.bank.app://sca/done?x=1',
    'com.example.app:/cb',
    'com.example.app:/oauth/cb?state=1',
    'msal1234://auth',
    `https://tpp.example/${'x'.repeat(2028)}`,
  ])('%s', (address) => {
    expect(isRedirectAddress(address)).toBe(true);
  });

  test.each([
    'javascript:alert(1)',
    'javascript:/x',
    'javascript://x/%0aalert(1)',
    'JavaScript://x/',
    'data:text/html,x',
    'data://x/',
    'file:///etc/passwd',
    'file://host/etc/passwd',
    'blob:https://tpp.example/4eba4445',
    'blob://x',
    'vbscript://x',
    'intent://scan/#Intent;scheme=zxing;package=com.example;end',
    'INTENT://scan',
    'chrome://settings',
    'about:blank',
    'about://blank',
    'view-source:https://tpp.example/',
    'view-source://tpp.example/',
    'filesystem://x',
    'ms-settings:privacy',
    'ms-settings://x',
    'ms-word:ofe|u|https://tpp.example/x.docx',
    'Ms-Excel://x',
    'ms-appx.store:/x',
    'https://user@tpp.example/',
    'https://user:word@tpp.example/',
    'https://@tpp.example/',
    'https://tpp.example%2f@evil.example/',
    'myapp://user@callback',
    'https://evil.example\\@tpp.example/',
    'https://\\evil.example/',
    'https:\\\\tpp.example/',
    'https://tpp.example/\u0007',
    'https://tpp.example/\u0000',
    'https://tpp.example/\r\nset-cookie:x',
    'https://tpp.example/\u007f',
    'java\tscript://x',
    ' https://tpp.example/',
    'https://tpp.example/a b',
    'https://tpp example/',
    'https://tpp.example/\u00e6',
    '/callback',
    '//tpp.example/callback',
    'https:callback',
    'https:/callback',
    'https:///',
    'https:///user@tpp.example',
    'app:/callback',
    'com.example.app:callback',
    '.example:/callback',
    '',
    `https://tpp.example/${'x'.repeat(2029)}`,
  ])('not %j', (address) => {
    expect(isRedirectAddress(address)).toBe(false);
  });

  test('the refusal says the list, whole', () => {
    const uri = `javascript://${'x'.repeat(3_000)}`;
    const [fault] = faultsOf(() => readHeaders({ 'tpp-redirect-uri': uri }, []));
    expect(fault).toMatchObject({ code: 'FORMAT_ERROR', path: 'tpp-redirect-uri' });
    expect(fault?.text).toContain(redirectAddressWords);
    expect(fault?.text.length).toBeLessThanOrEqual(512);
    const schemes = ['javascript', 'data', 'file', 'blob', 'vbscript', 'intent', 'chrome', 'about', 'view-source'];
    for (const scheme of [...schemes, 'ms-*']) expect(redirectAddressWords).toContain(` ${scheme}:,`);
    expect(redirectAddressWords).toMatch(/https, http or an app's own scheme.*a user name.*control characters/);
  });

  test('an address that passes is one that URL reads without a user, whatever its characters', () => {
    const piece = fc.constantFrom(
      'https',
      'http',
      'myapp',
      'a.b',
      ':',
      '//',
      '/',
      '\\',
      '@',
      '?',
      '#',
      'x.y',
      '%40',
      '\t',
      '[',
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 10 }), (pieces) => {
        const address = pieces.join('');
        if (!isRedirectAddress(address)) return;
        const { username, password, protocol } = new URL(address);
        expect([username, password]).toEqual(['', '']);
        expect(address.toLowerCase().startsWith(protocol)).toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });
});
