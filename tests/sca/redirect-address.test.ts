import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redirectAddress } from '../../api/representations/redirect-address.ts';

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

describe('interface: redirect query parameters', () => {
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
  ] as const)('after a failure: system, status, code and message; %s is a %i', (code, status) => {
    const answer = { fault: { code, text: 'Nei & ja.' } };
    const address = redirectAddress({ redirectUri: 'https://tpp.example/', answer });
    expect(address).toBe(`https://tpp.example/?system=sandbank&status=${status}&code=${code}&message=Nei%20%26%20ja.`);
  });

  test('E1: a message is at most 512 characters', () => {
    const answer = { fault: { code: 'SCA_INVALID', text: 'x'.repeat(2_000) } } as const;
    const address = new URL(redirectAddress({ redirectUri: 'https://tpp.example/', answer }));
    expect(address.searchParams.get('message')).toHaveLength(512);
  });
});

test('whatever the texts hold, the address is printable ASCII and reads back as it was', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.webUrl({ withQueryParameters: true }),
      (text, uri) => {
        const answer = { fault: { code: 'SCA_INVALID', text } } as const;
        const address = redirectAddress({ redirectUri: uri, answer });
        expect(address).toMatch(/^[\x21-\x7e]+$/);
        expect(new URL(address).searchParams.get('message')).toBe(text);
      },
    ),
  );
});
