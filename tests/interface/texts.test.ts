import { describe, expect, test } from '@jest/globals';
import { customerByNumber } from '../../engine/parties/rows/customers.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { crossBorderPayment, productPath, sepaPayment } from '../lab/products.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/* P8b over signed HTTP: what a text must have, and in which form its letters are kept. */
const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const blanks = ['', ' ', '\u00a0', ' \u2003\u3000\ufeff', '\t\n'];
/** `Åse Ørnæs` as one and as several characters for a letter. */
const composed = '\u00c5se \u00d8rn\u00e6s';
const decomposed = 'A\u030ase \u00d8rn\u00e6s';

const bank = testBank('2027-03-24T12:00:00+01:00');
let kroner = 0;

const amount = (): object => ({ instructedAmount: { amount: `${(kroner += 1)}.00`, currency: 'NOK' } });
const pay = (changes: object): Promise<Reply> =>
  bank.signed('POST', singlePath, { body: singlePayment({ ...amount(), ...changes }), headers });
const detailsOf = async (path: string, { body }: Reply) => (await bank.signed('GET', `${path}/${body.paymentId}`)).body;

describe('P8b: a text that has no character but white space', () => {
  test.each(blanks.map((blank) => [JSON.stringify(blank), blank]))(
    '%s is refused where a text is required',
    async (_, blank) => {
      const refusal = { status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: 'creditorName' }] } };
      const refused = await pay({ creditorName: blank });
      expect(refused).toMatchObject(refusal);
      expect(refused.body.tppMessages).toHaveLength(1);
      const bulk = await bank.signed('POST', bulkPath, {
        body: bulkPayment([bulkItem('1.00'), bulkItem('2.00', { creditorName: blank })]),
        headers,
      });
      expect(bulk).toMatchObject({ status: 400, body: { tppMessages: [{ path: 'payments[1].creditorName' }] } });
      const customer = { customerNumber: '20079718492', name: blank, type: 'private' };
      expect(await bank.signed('POST', '/v1/sandbox/customers', { body: customer })).toMatchObject({
        status: 400,
        body: { tppMessages: [{ path: 'name' }] },
      });
    },
  );

  test.each(blanks.map((blank) => [JSON.stringify(blank), blank]))(
    '%s is as if it was not sent where a text is optional',
    async (_, blank) => {
      const made = await pay({
        ultimateDebtor: blank,
        creditorAddress: { country: 'NO', city: blank, street: 'Storgata' },
        remittanceInformationStructuredArray: [{ reference: '99754667145676221', referenceType: 'SCOR' }],
      });
      expect(made.status).toBe(201);
      const details = await detailsOf(singlePath, made);
      expect(details).not.toHaveProperty('ultimateDebtor');
      expect(details.creditorAddress).toEqual({ country: 'NO', street: 'Storgata' });
    },
  );
});

describe('P8b: a remittance text that is sent has a character that is not white space', () => {
  const text = 'remittanceInformationUnstructured';
  const services: [string, string, (blank: string) => object][] = [
    [singlePath, text, (blank) => singlePayment({ [text]: blank })],
    [productPath('straks'), text, (blank) => singlePayment({ [text]: blank })],
    [productPath('sepa'), text, (blank) => sepaPayment({ [text]: blank })],
    [productPath('crossBorder'), text, (blank) => crossBorderPayment({ [text]: blank })],
    [periodicPath, text, (blank) => periodicPayment({ [text]: blank })],
    [bulkPath, `payments[1].${text}`, (blank) => bulkPayment([bulkItem('1.00'), bulkItem('2.00', { [text]: blank })])],
  ];
  test.each(services)('%s: every blank is one FORMAT_ERROR at %s', async (path, at, bodyWith) => {
    for (const blank of blanks) {
      const refused = await bank.signed('POST', path, { body: bodyWith(blank), headers });
      expect([refused.status, refused.body.tppMessages.length]).toEqual([400, 1]);
      expect(refused.body.tppMessages).toMatchObject([{ category: 'ERROR', code: 'FORMAT_ERROR', path: at }]);
    }
    const taken = await bank.signed('POST', `${path}?allowLogicalDuplicate=true`, { body: bodyWith(' x '), headers });
    expect(taken.status).toBe(201);
  });
});

describe('P8b: decomposed letters are composed', () => {
  test('in a payment and in an item of a bulk payment, as the details and the SCA page show them', async () => {
    const single = await pay({ creditorName: decomposed, remittanceInformationUnstructured: decomposed });
    expect(await detailsOf(singlePath, single)).toMatchObject({
      creditorName: composed,
      remittanceInformationUnstructured: composed,
    });
    const page = await fetch(single.body._links.scaRedirect.href);
    expect(page.status).toBe(200);
    const bulk = await bank.signed('POST', bulkPath, {
      body: bulkPayment([bulkItem(`${(kroner += 1)}.00`, { creditorName: decomposed })]),
      headers,
    });
    expect((await detailsOf(bulkPath, bulk)).payments[0].creditorName).toBe(composed);
  });

  test('before its length is judged: 70 letters fit, decomposed too', async () => {
    expect((await pay({ creditorName: 'A\u030a'.repeat(70) })).status).toBe(201);
    expect((await pay({ creditorName: 'A\u030a'.repeat(71) })).body.tppMessages[0].text).toContain('71 characters');
  });

  test('names under /v1/sandbox too', async () => {
    const body = { customerNumber: '23119621380', name: decomposed, type: 'private' };
    expect((await bank.signed('POST', '/v1/sandbox/customers', { body })).status).toBe(201);
    const named = await bank.bank.ledger.read((reader) => customerByNumber(reader, '23119621380'));
    expect(named?.name).toBe(composed);
  });
});

test.each(['POST', 'DELETE'])(
  'E2: %s on the singular /v1/payment is 405, and the text names the plural',
  async (method) => {
    for (const path of ['/v1/payment/norwegian-domestic-credit-transfers', '/v1/payment/an-id/status']) {
      const refused = await bank.signed(method, path, {
        body: method === 'POST' ? singlePayment() : undefined,
        headers,
      });
      expect(refused).toMatchObject({ status: 405, body: { tppMessages: [{ code: 'SERVICE_INVALID' }] } });
      expect(refused.headers.get('allow')).toBe('GET');
      expect(refused.body.tppMessages[0].text).toContain('/v1/payments/{product}');
    }
  },
);
