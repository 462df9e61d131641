import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { crossBorderPayment, productPath, sepaPayment } from '../lab/products.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/* P5d over signed HTTP: the bounds of what is sent, and the identifiers whose letters may be of either case. */
const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');
let amounts = 0;

const send = (path: string, body: object, more: object = {}): Promise<Reply> =>
  bank.signed('POST', path, { body, headers: { ...headers, ...more } });
const amount = (currency = 'NOK'): object => ({ instructedAmount: { amount: `${(amounts += 1)}.00`, currency } });
const detailsOf = async (path: string, { body }: Reply) => (await bank.signed('GET', `${path}/${body.paymentId}`)).body;
const refused = (path: string) => ({ status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path }] } });
const notesOf = async (reply: Reply) =>
  (await bank.raw('GET', `/sandbox/requests/${reply.headers.get('x-request-id')}`)).body.requests[0].notes as string[];

/** 42 characters: 34 in groups of four. MT and LC have 31 and 32; this one is of no country whose length is known. */
const longest = 'XC80 1212 0123 4567 8906 0000 0000 0000 00';

describe('P5d: an IBAN has at most 34 characters without blanks, and 42 as sent', () => {
  const padded = `NO62${' '.repeat(85)}90491105991`;

  test('more is refused for creditor, debtor, SEPA and accounts of the sandbox', async () => {
    const account = { iban: padded, currency: 'NOK' };
    expect(await send(singlePath, singlePayment({ creditorAccount: account }))).toMatchObject(
      refused('creditorAccount.iban'),
    );
    expect(await send(singlePath, singlePayment({ debtorAccount: account }))).toMatchObject(
      refused('debtorAccount.iban'),
    );
    const germany = { iban: `DE89${' '.repeat(21)}370400440532013000`, currency: 'EUR' };
    const toGermany = await send(productPath('sepa'), sepaPayment({ creditorAccount: germany }));
    expect(toGermany).toMatchObject(refused('creditorAccount.iban'));
    expect(toGermany.body.tppMessages).toHaveLength(1);
    const items = bulkPayment([bulkItem('1.00', { creditorAccount: account })]);
    expect(await send(bulkPath, items)).toMatchObject(refused('payments[0].creditorAccount.iban'));
    const opened = { customerNumber: '13039319955', accountName: 'Long', ...account };
    expect(await bank.signed('POST', '/v1/sandbox/accounts', { body: opened })).toMatchObject(refused('iban'));
  });

  test('the longest in groups of four is taken, and shown without blanks', async () => {
    expect(longest).toHaveLength(42);
    const sent = crossBorderPayment({ creditorAccount: { iban: longest, currency: 'SEK' } });
    const made = await send(productPath('crossBorder'), sent);
    expect(made.status).toBe(201);
    const { creditorAccount } = await detailsOf(productPath('crossBorder'), made);
    expect(creditorAccount.iban).toBe(longest.replaceAll(' ', ''));
    const textOf = async (iban: string): Promise<string> => {
      const changes = { creditorAccount: { iban, currency: 'SEK' } };
      const answer = await send(productPath('crossBorder'), crossBorderPayment(changes));
      expect(answer).toMatchObject(refused('creditorAccount.iban'));
      expect(answer.body.tppMessages).toHaveLength(1);
      return answer.body.tppMessages[0].text;
    };
    expect(await textOf(longest.replace('1212', '1212 '))).toContain('It has 43 characters, at most 42 fit.');
    expect(await textOf(`${longest.replaceAll(' ', '')}7`)).toContain(
      'it has 35 characters without blanks; an IBAN has 15 to 34',
    );
  });
});

describe('P5d: the bound of a text is that of what was sent', () => {
  test('white space beyond it is refused, and below it is as if it was not sent', async () => {
    const blank = (length: number): object => singlePayment({ ...amount(), ultimateDebtor: ' '.repeat(length) });
    for (const length of [200, 71]) {
      const { status, body } = await send(singlePath, blank(length));
      expect([status, body.tppMessages[0].code, body.tppMessages[0].path]).toEqual([
        400,
        'FORMAT_ERROR',
        'ultimateDebtor',
      ]);
    }
    const made = await send(singlePath, blank(70));
    expect(made.status).toBe(201);
    expect(await detailsOf(singlePath, made)).not.toHaveProperty('ultimateDebtor');
  });
});

describe('P5d: letters of an identifier', () => {
  const british = 'GB29NWBK60161331926819';
  const toBritain = (iban: string): object =>
    crossBorderPayment({
      instructedAmount: { amount: '7.00', currency: 'GBP' },
      creditorAccount: { iban, currency: 'GBP' },
    });

  test('an IBAN in small letters is the same account, shown in capitals, and the journal notes it', async () => {
    const first = await send(productPath('crossBorder'), toBritain(british.toLowerCase()));
    expect(first.status).toBe(201);
    expect((await detailsOf(productPath('crossBorder'), first)).creditorAccount.iban).toBe(british);
    const second = await send(productPath('crossBorder'), toBritain('GB29nwbk60161331926819'));
    expect(second).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'CONFLICT' }] } });
    const note = 'accepted, but the letters of an IBAN or a BIC are small; write capitals (identifier-case)';
    expect(await notesOf(first)).toEqual([note]);
    const capitals = await send(productPath('crossBorder'), toBritain('GB94BARC10201530093459'));
    expect([capitals.status, await notesOf(capitals)]).toEqual([201, []]);
  });

  test('so is a debtor account, and an account of the control plane', async () => {
    const debtorAccount = { iban: 'no7809232911044', currency: 'NOK' };
    const made = await send(singlePath, singlePayment({ ...amount(), debtorAccount }));
    expect(made.status).toBe(201);
    expect(await bank.raw('GET', '/sandbox/accounts/no7809232911044')).toMatchObject({ status: 200 });
    const { body } = await bank.raw('GET', '/sandbox/payments?account=no7809232911044');
    expect(body.payments.length).toBeGreaterThan(0);
  });

  test('a BIC', async () => {
    const made = await send(
      productPath('crossBorder'),
      crossBorderPayment({ ...amount('SEK'), creditorAgent: 'essesess' }),
    );
    expect(made.status).toBe(201);
    expect((await detailsOf(productPath('crossBorder'), made)).creditorAgent).toBe('ESSESESS');
  });

  test('a UUID: a repeated call may write its id and its PSU otherwise', async () => {
    const { 'psu-id': psu } = await bank.consents();
    const id = randomUUID();
    const body = singlePayment(amount());
    const sent = (requestId: string, psuId: string) =>
      bank.signed('POST', singlePath, {
        body,
        headers: { 'x-request-id': requestId, 'psu-id': psuId, 'psu-context': 'PRIVATE' },
      });
    const first = await sent(id, psu);
    const again = await sent(id.toUpperCase(), psu.toUpperCase());
    expect([first.status, again.status, again.body.paymentId]).toEqual([201, 201, first.body.paymentId]);
  });
});
