import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { verifyAnswer } from '../../api/client/index.ts';
import { AnswerSeal } from '../../api/signing/answer-seal.ts';
import { generateKey } from '../../api/signing/certificate/issue-certificate.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { SignedAnswer } from '../../api/client/types.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { attempt } from '../lab/exchange.ts';
import { BankClient, psuHeaders, type Sent, startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* rules.md G14: the bank signs its answers. */

const now = '2027-03-24T12:00:00+01:00';
const bank = testBank(now, ['--sign-answers=1']);
let certificate: string;
beforeAll(async () => {
  ({ certificate } = (await bank.control('GET', '/sandbox/bank-certificate')).body);
});

type Whole = Required<Pick<SignedAnswer, 'status'>> & { readonly headers: Headers; readonly body: string };

/** A signed request, and its answer with the bytes of its body. */
async function asked(method: string, path: string, sent: Sent = {}, base = ''): Promise<Whole> {
  const { headers, body } = bank.signedParts(method, base + path, sent);
  const { text, ...answer } = await attempt(bank.address + base + path, { method, headers, body });
  return { status: answer.status, headers: answer.headers, body: text };
}

const path = `${singlePath}?allowLogicalDuplicate=true`;
const paid = { headers: psuHeaders(), body: singlePayment() };

describe('G14: each answer is signed, whatever it is', () => {
  test.each([
    ['a payment', 'POST', singlePath, paid, 201],
    ['a list', 'GET', '/v1/sandbox/customers', {}, 200],
    ['a refusal', 'GET', '/v1/accounts', { headers: { 'x-request-id': null } }, 401],
    ['an unknown path', 'GET', '/v1/nothing', {}, 404],
    ['another base', 'GET', '/api-sandbox/v1/sandbox/customers', {}, 200],
    ['the unsigned door', 'GET', '/sandbox/as/shop/v1/sandbox/customers', {}, 200],
    ['HEAD', 'HEAD', '/v1/sandbox/customers', {}, 200],
  ] as const)('%s', async (_what, method, path, sent, status) => {
    const isDoor = path.startsWith('/sandbox');
    const answer = isDoor
      ? await attempt(bank.address + path, { method, headers: {} }).then(({ text, ...rest }) => ({
          ...rest,
          body: text,
        }))
      : await asked(method, path, sent);
    expect(answer.status).toBe(status);
    verifyAnswer(answer, { certificate });
    const all = answer.headers as Headers;
    const covered = /headers="([^"]*)"/.exec(all.get('signature') ?? '')?.[1];
    expect(covered).toBe(`(status) date digest${all.has('x-request-id') ? ' x-request-id' : ''}`);
    const shown = new X509Certificate(Buffer.from(all.get('aspsp-signature-certificate') ?? '', 'base64'));
    expect(shown.toString()).toBe(certificate);
  });

  test('an answer without a body', async () => {
    const { paymentId } = JSON.parse((await asked('POST', path, paid)).body) as { readonly paymentId: string };
    const answer = await asked('DELETE', `${singlePath}/${encodeURIComponent(paymentId)}`, { headers: psuHeaders() });
    expect([answer.status, answer.body]).toEqual([204, '']);
    verifyAnswer(answer, { certificate });
  });

  test('the seal is by the sandbox CA; what is not of the interface is not signed', async () => {
    const { body: ca } = await bank.control('GET', '/sandbox/ca');
    expect(new X509Certificate(certificate).verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect((await bank.control('GET', '/sandbox/clock')).headers.has('signature')).toBe(false);
  });

  test('first calls at the same time have one certificate, and one a year later has another', async () => {
    let time = Date.parse(now);
    const ca = {
      certificatePem: (await bank.control('GET', '/sandbox/ca')).body as string,
      keyPem: await generateKey(),
    };
    const seal = new AnswerSeal(
      'Bank',
      async () => ca,
      () => (time += 1_000) as Instant,
    );
    const certificates = async () => {
      const all = await Promise.all(Array.from({ length: 5 }, async () => (await seal.current()).certificate));
      return [...new Set(all.map(String))];
    };
    const [first, ...others] = await certificates();
    expect([others, await certificates()]).toEqual([[], [first]]);
    time += 364 * 86_400_000;
    const next = await certificates();
    expect([next.length, next[0] === first]).toEqual([1, false]);
  });

  test('a repeated call has the first body, signed anew', async () => {
    const sent = { ...paid, headers: { ...paid.headers, 'x-request-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } };
    const [first, again] = [await asked('POST', path, sent), await asked('POST', path, sent)];
    expect(again.body).toBe(first.body);
    verifyAnswer(again, { certificate });
  });
});

describe('G14: a change of one part is found', () => {
  const changes: readonly (readonly [string, (answer: Whole) => SignedAnswer, RegExp])[] = [
    [
      'the body',
      (answer) => ({ ...answer, body: `${answer.body} ` }),
      /^The Digest is SHA-256=\S+, and the body has SHA-256=\S+\.$/,
    ],
    ['the status', (answer) => ({ ...answer, status: 200 }), /not by the key of the certificate/],
    ['the Date', (answer) => changed(answer, 'date', 'Wed, 24 Mar 2027 11:00:00 GMT'), /not by the key/],
    ['the X-Request-ID', (answer) => changed(answer, 'x-request-id', 'other'), /not by the key/],
    [
      'no Signature',
      (answer) => changed(answer, 'signature', null),
      /^The answer is not signed: it has no Signature\.$/,
    ],
    [
      'a signature over less',
      (answer) =>
        changed(answer, 'signature', (answer.headers as Headers).get('signature')?.replace('(status) ', '') ?? ''),
      /^The signature does not cover \(status\)\.$/,
    ],
    [
      'a header that is covered and left out',
      (answer) => changed(answer, 'date', null),
      /^The signature covers date, and the answer does not have it\.$/,
    ],
    [
      'a broken certificate',
      (answer) => changed(answer, 'aspsp-signature-certificate', 'AAAA'),
      /^The ASPSP-Signature-Certificate is no certificate: expected the base64 of its DER\.$/,
    ],
  ];

  function changed({ status, headers, body }: Whole, name: string, value: string | null): SignedAnswer {
    const all = new Headers(headers as Headers);
    if (value === null) all.delete(name);
    else all.set(name, value);
    return { status, headers: all, body };
  }

  test.each(changes)('%s', async (_what, change, reason) => {
    const answer = await asked('POST', path, paid);
    verifyAnswer(answer, { certificate });
    expect(() => verifyAnswer(change(answer), { certificate })).toThrow(reason);
  });

  test('another bank, a later day and an earlier one', async () => {
    const answer = await asked('POST', path, paid);
    expect((await bank.control('POST', '/sandbox/banks', { name: 'other' })).status).toBe(200);
    const other = (await bank.control('GET', '/banks/other/sandbox/bank-certificate')).body.certificate;
    expect(() => verifyAnswer(answer, { certificate: other })).toThrow(
      /^The keyId is SN=\w+,.*, and the certificate is SN=/,
    );
    const later = new Date(Date.now() + 400 * 86_400_000);
    expect(() => verifyAnswer(answer, { certificate, now: later })).toThrow(/^The certificate SN=\S+.* expired on /);
    const earlier = new Date(Date.now() - 2 * 86_400_000);
    expect(() => verifyAnswer(answer, { certificate, now: earlier })).toThrow(
      /^The certificate SN=\S+.* is not valid before /,
    );
    verifyAnswer(await asked('GET', '/v1/sandbox/customers', {}, '/banks/other'), { certificate: other });
  });
});

describe('E6c: badSignature', () => {
  test.each([
    ['digest', /^The Digest is /],
    ['key', /not by the key/],
    ['expired', /^The certificate SN=\S+.* expired on /],
  ] as const)('%s spoils the signature of one answer, and the call is carried out', async (badSignature, reason) => {
    const armed = await bank.control('POST', '/sandbox/faults', { badSignature, method: 'POST' });
    expect(armed.status).toBe(200);
    const answer = await asked('POST', path, paid);
    expect(answer.status).toBe(201);
    expect(() => verifyAnswer(answer, { certificate })).toThrow(reason);
    const { paymentId } = JSON.parse(answer.body) as { readonly paymentId: string };
    expect((await bank.payment(paymentId)).status).toBe('RCVD');
    const requests = (await bank.control('GET', '/sandbox/requests?limit=1')).body.requests;
    expect(JSON.stringify(requests)).toContain(`spoilt the signature (${badSignature})`);
    verifyAnswer(await asked('POST', path, paid), { certificate });
  });

  test('waits for an answer that the bank signs', async () => {
    await bank.control('POST', '/sandbox/faults', { badSignature: 'digest', method: 'GET' });
    await bank.quirks({ 'signed-answers': false });
    expect((await asked('GET', '/v1/sandbox/customers')).headers.has('signature')).toBe(false);
    await bank.quirks({ 'signed-answers': true });
    const answer = await asked('GET', '/v1/sandbox/customers');
    expect(() => verifyAnswer(answer, { certificate })).toThrow('Digest');
    verifyAnswer(await asked('GET', '/v1/sandbox/customers'), { certificate });
  });

  test('is refused where the bank signs nothing, and beside another effect', async () => {
    const both = await bank.control('POST', '/sandbox/faults', { badSignature: 'key', cut: true });
    expect([both.status, both.body.detail]).toEqual([
      400,
      expect.stringContaining('cut and badSignature cannot be one fault'),
    ]);
    await bank.quirks({ 'signed-answers': false });
    const refused = await bank.control('POST', '/sandbox/faults', { badSignature: 'key' });
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'The bank signs no answers. Switch on the quirk signed-answers.',
    ]);
    expect((await asked('GET', '/v1/sandbox/customers')).headers).not.toHaveProperty('signature');
    await bank.quirks({ 'signed-answers': true });
  });
});

test('G14, E10: with the quirk the API document has the headers of each answer', async () => {
  const { body: document } = await bank.control('GET', '/openapi.json');
  const { responses } = document.paths['/payments/norwegian-domestic-credit-transfers'].post;
  const signed = ['Date', 'Digest', 'Signature', 'ASPSP-Signature-Certificate'];
  expect(Object.keys(responses['201'].headers)).toEqual(expect.arrayContaining(['X-Request-ID', ...signed]));
  const refused = document.components.responses.Refusal400.headers;
  expect(Object.keys(refused)).toEqual(expect.arrayContaining(signed));
  // A refusal may be the page of a gateway, which signs nothing.
  for (const name of signed) {
    expect(responses['201'].headers[name]).toMatchObject({ required: true });
    expect(refused[name]).not.toHaveProperty('required');
  }
});

test('G14, B5: a saved bank signs on, with its armed fault and a seal of the machine that opens it', async () => {
  const source = await startTestBank(now, ['--sign-answers=1']);
  await source.control('POST', '/sandbox/faults', { badSignature: 'digest', method: 'GET' });
  const bundle = Buffer.from(await (await fetch(`${source.address}/sandbox/bundle`)).arrayBuffer());
  await source.stop();
  await using server = await openSaved(bundle);
  const opened = new BankClient(server.address);
  const seal = (await opened.control('GET', '/sandbox/bank-certificate')).body;
  const read = (): Promise<Whole> =>
    attempt(`${server.address}/sandbox/as/shop/v1/sandbox/customers`, { method: 'GET', headers: {} }).then(
      ({ text, ...rest }) => ({ ...rest, body: text }),
    );
  const spoilt = await read();
  expect(() => verifyAnswer(spoilt, seal)).toThrow(/^The Digest is /);
  verifyAnswer(await read(), seal);
});

test('G14: a reset and a restored snapshot leave the seal as it is', async () => {
  await bank.control('POST', '/sandbox/snapshots', { name: 'before' });
  await bank.control('POST', '/sandbox/snapshots/before/restore', {});
  await bank.reset();
  expect((await bank.control('GET', '/sandbox/bank-certificate')).body).toEqual({ certificate });
  verifyAnswer(await asked('GET', '/v1/sandbox/customers'), { certificate });
});

test('G14: createBank has it as a quirk, beside quirks that shape the body', async () => {
  await using own = await createBank({ now: '2027-03-24', quirks: ['signed-answers', 'plain-json', 'id-lengths'] });
  const told = (await (await own.fetch('/sandbox/bank-certificate')).json()) as { readonly certificate: string };
  const answer = await own.tpp().fetch('/v1/sandbox/customers');
  const body = new Uint8Array(await answer.arrayBuffer());
  verifyAnswer({ status: answer.status, headers: answer.headers, body }, told);
});
