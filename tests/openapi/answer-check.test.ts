import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { describeInterface } from '../../api/openapi/interface-document.ts';
import { type ApiDocument, apiDocument, refusalName } from '../../api/openapi/document.ts';
import { AnswerCheck, type SentAnswer } from '../support/answer-check.ts';
import { quirksIn } from '../lab/quirks.ts';
import { undocumented } from '../support/api-documents.ts';
import { seeAnswers, type SeenAnswer } from '../support/sent-answers.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-15T12:00:00+01:00');

/** The document as it is, changed by `change`. */
function check(change: (document: ApiDocument) => void = () => undefined): AnswerCheck {
  const document = structuredClone(apiDocument(describeInterface()));
  change(document);
  return new AnswerCheck(document, refusalName);
}

const customer: SentAnswer = {
  method: 'GET',
  path: '/sandbox/customers/enc!!abc==',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify({
    customerId: 'enc!!abc==',
    customerNumber: '13039319955',
    customerType: 'private',
    customerName: 'Test',
    _links: { self: { href: '/v1/sandbox/customers/enc!!abc==', verbs: ['GET', 'DELETE'] } },
  }),
};

describe('the check of answers against the API document', () => {
  test('lets through what the document describes', () => {
    expect(check().faultOf(customer)).toBe(null);
  });

  test('sees a member that the document does not have', () => {
    const without = check(({ components }) => {
      const { schemas } = components as { schemas: { Customer: { properties: Record<string, unknown> } } };
      delete schemas.Customer.properties['customerType'];
    });
    expect(without.faultOf(customer)).toContain('"additionalProperty":"customerType"');
  });

  test.each<[string, Partial<SentAnswer>, string]>([
    ['a status', { status: 418 }, 'answered 418, which the API document does not have'],
    ['a media type', { contentType: 'text/html' }, 'as text/html, which the API document does not have'],
    [
      'a body where there is none',
      { method: 'DELETE', status: 204 },
      'with a body, which the API document does not have',
    ],
    ['a missing member', { body: '{"customerId":"1"}' }, 'required property'],
    ['a refusal without messages', { status: 404, body: '{"tppMessages":[]}' }, '/tppMessages must NOT have fewer'],
    [
      'a code of another status',
      { status: 404, body: '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","text":""}]}' },
      '/tppMessages/0/code must be equal to one of the allowed values',
    ],
    ['a path that there is not', { path: '/nothing', status: 200 }, 'which the API document does not have'],
  ])('sees %s', (_, changes, fault) => {
    expect(check().faultOf({ ...customer, ...changes })).toContain(fault);
  });

  test('sees every answer of a server in this process, as it was sent', async () => {
    const seen: SeenAnswer[] = [];
    const stop = seeAnswers((answer) => seen.push(answer));
    await bank.signed('GET', '/v1/sandbox/customers');
    await bank.raw('GET', '/sandbox/as/someone/v1/accounts?withBalance=true');
    await bank.raw('GET', '/api-sandbox/v1/nothing');
    stop();
    await bank.signed('GET', '/v1/sandbox/customers');
    expect(seen.map(({ target, status }) => `${status} ${target}`)).toEqual([
      '200 /v1/sandbox/customers',
      '401 /v1/accounts?withBalance=true',
      '404 /api-sandbox/v1/nothing',
    ]);
    expect(JSON.parse(seen[0]?.body ?? '')).toHaveLength(12);
    expect(await Promise.all(seen.map(undocumented))).toEqual([null, null, null]);
    const spoilt = { ...seen[0], body: seen[0]?.body.replaceAll('customerName', 'name') } as SeenAnswer;
    expect(await undocumented(spoilt)).toContain('/0 must have required property');
  });
});

describe('Q2: the check of an answer that a quirk has shaped', () => {
  const account = { bban: '09232911044' };
  const _links = { self: { href: '/v1/accounts/1/transactions', verbs: ['GET'] } };
  const answerWith = (item: object, on: string): SeenAnswer => {
    const pending = [{ transactionAmount: { amount: '-1.00', currency: 'NOK' }, ...item }];
    const body = JSON.stringify({ account, transactions: { pending, _links } });
    const contentType = 'application/json; charset=utf-8';
    const signed = { date: 'now', signature: 'keyId=""', 'tpp-signature-certificate': 'MII' };
    const asked = { headers: { 'x-request-id': randomUUID(), ...signed }, body: '' };
    const told = { method: 'GET', target: '/v1/accounts/1/transactions', status: 200, contentType, body };
    return { ...told, asked, quirks: quirksIn(on) };
  };

  test('sees a date that there is not', async () => {
    const bookingDate = '2027-02-29';
    expect(await undocumented(answerWith({ bookingDate }, 'pending-dates=booking'))).toContain(
      '/bookingDate must match format "date"',
    );
  });

  test.each([
    ['pending-dates', { bookingDate: '2027-03-17', valueDate: '2027-03-16' }, 'additional properties'],
    ['structured-references', { remittanceInformationStructuredArray: ['1', 'SCOR'] }, 'must be object'],
  ])('lets through what %s shows, and only that', async (quirk, item, fault) => {
    expect(await undocumented(answerWith(item, quirk))).toBeNull();
    expect(await undocumented(answerWith(item, ''))).toContain(fault);
    expect(await undocumented(answerWith(item, 'plain-json'))).toContain(fault);
    expect(await undocumented(answerWith({ ...item, transactionId: 'enc!!x' }, quirk))).toContain(
      'additional properties',
    );
  });
});
