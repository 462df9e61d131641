import { describe, expect, test } from '@jest/globals';
import { isEmail } from '../../engine/values/text.ts';
import { validCertificate, type Sent } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

const path = '/v1/tpps/PSDNO-FSA-987654321/contact-information';
const aboutNoPsu = { 'x-accept-fix': null, 'tpp-session-id': null, 'tpp-redirect-uri': null, 'psu-ip-address': null };
const put = (target: string, email: unknown, sent: Sent = {}) =>
  bank.signed('PUT', target, { headers: aboutNoPsu, body: { email }, ...sent });
const get = (target: string, sent: Sent = {}) => bank.signed('GET', target, { headers: aboutNoPsu, ...sent });

describe('interface, What the service does 7: a TPP registers a contact address', () => {
  test('there is none before, then the one that was put last; no header about a PSU is needed', async () => {
    const none = await get(path);
    expect([none.status, none.body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
    for (const email of ['first@tpp.example', 'tpp.contact.email@tpp.example.com']) {
      const saved = await put(path, email);
      expect([saved.status, saved.body]).toEqual([200, { email }]);
      const read = await get(path);
      expect([read.status, read.body]).toEqual([200, { email }]);
    }
  });

  test('the id may stand without PSD, as the banks print it, and means the same TPP', async () => {
    await put(path, 'first@tpp.example');
    await put('/v1/tpps/NO-FSA-987654321/contact-information', 'second@tpp.example');
    expect((await get(path)).body).toEqual({ email: 'second@tpp.example' });
  });

  test('a TPP reads and writes only its own: FORBIDDEN, and nothing changes', async () => {
    await put(path, 'first@tpp.example');
    const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111' });
    for (const reply of [await get(path, { certificate }), await put(path, 'other@tpp.example', { certificate })]) {
      expect([reply.status, reply.body.tppMessages[0].code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await get(path)).body).toEqual({ email: 'first@tpp.example' });
  });

  test.each([
    ['no address', 'tpp.example'],
    ['a number', 7],
    ['nothing', undefined],
  ])('%s is a FORMAT_ERROR on email', async (_, email) => {
    const reply = await put(path, email);
    expect(reply.status).toBe(400);
    expect(reply.body.tppMessages).toEqual([expect.objectContaining({ code: 'FORMAT_ERROR', path: 'email' })]);
  });

  test('X-Request-ID is required', async () => {
    const reply = await get(path, { headers: { ...aboutNoPsu, 'x-request-id': '' } });
    expect(reply.body.tppMessages[0]).toMatchObject({ code: 'HTTP_HEADER_REQUIRED', path: 'x-request-id' });
  });
});

test.each([
  ['a@b.no', true],
  ["o'neil+psd2@api.tpp-one.example", true],
  ['a@b', false],
  ['a@@b.no', false],
  ['.a@b.no', false],
  ['a..b@c.no', false],
  ['a b@c.no', false],
  ['a@-b.no', false],
  ['a@b.no\n', false],
  ['å@b.no', false],
  [`${'a'.repeat(65)}@b.no`, false],
  [`a@${'b'.repeat(64)}.no`, false],
  [`a@${'b.'.repeat(130)}no`, false],
])('%j as an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});
