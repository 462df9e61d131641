import { describe, expect, test } from '@jest/globals';
import { maskedHeaders, maskedLines, maskedValue, maskOf } from '../../api/pipeline/secrets.ts';

/* C3: what is a secret, and where it is masked. */

const token = 'a-Token/with+16=chars';
const mask = maskOf(token);

test('C3: the control token is *** wherever it stands: as it is written, percent-encoded and in JSON', () => {
  expect(mask(`/v1/accounts?x=${token}&y=${token}`)).toBe('/v1/accounts?x=***&y=***');
  const odd = 'quote"percent%slash/;';
  const inJson = JSON.stringify(odd).slice(1, -1);
  const forms = [odd, inJson, inJson.replaceAll('/', String.raw`\/`), encodeURI(odd), encodeURIComponent(odd)];
  for (const form of [...forms, ...forms.map((each) => each.toLowerCase())])
    expect([form, maskOf(odd)(`(${form})`)]).toEqual([form, '(***)']);
  expect(maskOf(null)(token)).toBe(token);
});

describe('C3: values of headers', () => {
  test.each([
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'Set-Cookie',
    'X-Api-Key',
    'Sandbank-Control-Token',
    'X-Client-Secret',
    'X-PASSWORD',
    'x-credentials',
    'Ocp-Apim-Subscription-Id',
  ])('%s is ***', (name) => {
    expect(maskedHeaders([[name, 'a']], mask)).toEqual([[name, '***']]);
    expect(maskedLines(`date: today\n${name.toLowerCase()}: a b\nhost: x`, mask)).toBe(
      `date: today\n${name.toLowerCase()}: ***\nhost: x`,
    );
  });

  test.each(['Idempotency-Key', 'Signature', 'keyId', 'TPP-Signature-Certificate', 'PSU-ID', 'Digest'])(
    '%s stays',
    (name) => {
      expect(maskedHeaders([[name, 'a']], mask)).toEqual([[name, 'a']]);
      expect(maskedLines(`${name}: a`, mask)).toBe(`${name}: a`);
    },
  );

  test('the control token in any other header, in its name too', () => {
    expect(maskedHeaders([['X-Note', `of ${token}`]], mask)).toEqual([['X-Note', 'of ***']]);
    expect(maskedHeaders([[`X-${token}`, 'a']], mask)).toEqual([['X-***', '***']]);
  });

  test('a text that has no header as a line stays', () => {
    expect(maskedLines('the password: secret', mask)).toBe('the password: secret');
  });
});

test('C3: each text of a value of JSON', () => {
  expect(maskedValue({ path: `/v1/${token}`, times: 2, lines: ['x-api-key: abc'] }, mask)).toEqual({
    path: '/v1/***',
    times: 2,
    lines: ['x-api-key: ***'],
  });
});
