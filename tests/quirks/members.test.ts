import { describe, expect, test } from '@jest/globals';
import { quirk } from '../../api/quirks/bank-codes.ts';
import { kid } from './mocks.ts';
import { statementForAll } from './statement.ts';

/* rules.md Q5: other members of transactions. */
const statement = statementForAll();

describe('Q5e: structured-references', () => {
  const member = 'remittanceInformationStructuredArray';

  test.each([
    ['by default: objects', {}, [kid]],
    ['register 30: objects', { 'structured-references': 'objects' }, [kid]],
    ['register 30: strings', { 'structured-references': 'strings' }, ['2345676', 'SCOR']],
    ['register 30: joined', { 'structured-references': 'joined' }, ['reference: 2345676, referenceType: SCOR']],
  ])('%s', async (_what, quirks, references) => {
    await statement.under(quirks);
    const payment = await statement.one('-12.00');
    const read = await statement.details(payment.transactionId);
    const batch = await statement.details((await statement.one('-300.00')).transactionId);
    const { pending } = await statement.list();
    const shown = [payment, read, pending[0], batch.entryDetails[1]].map((item) => item[member]);
    expect(shown).toEqual([references, references, references, references]);
    expect([(await statement.one('-11.00'))[member], batch.entryDetails[0][member]]).toEqual([undefined, undefined]);
  });
});

describe('Q5f: bank-codes', () => {
  const [iso, own] = ['bankTransactionCode', 'proprietaryBankTransactionCode'];

  test.each([
    ['a card purchase', '-49.90', null, 'CARD-NCRD-POSD', 'R_710'],
    ['a card purchase abroad', '-1165.50', null, 'CARD-CCRD-XBPO', 'R_710'],
    ['one with an ISO code', '-120.00', 'CARD-CCRD-POSD', 'CARD-CCRD-POSD', 'R_710'],
    ['a transfer out', '-11.00', null, 'PMNT-ICDT-RETP', 'R_260'],
    ['a KID payment', '-12.00', null, 'PMNT-ICDT-PCID', 'R_260'],
    ['a payment abroad', '-1183.05', null, 'PMNT-IICT-XBCT', 'R_260'],
    ['a transfer in', '250.00', null, 'PMNT-RCDT-RETP', 'R_914'],
    ['a salary', '30000.00', null, 'PMNT-RCDT-SALA', 'R_914'],
    ['the fee of a payment', '-5.00', null, 'BOOK-EXPS-BANK', null],
    ['a fee with a code', '-40.00', 'BOOK-EXPS-OTHR', 'BOOK-EXPS-OTHR', null],
    ['a batch', '-300.00', null, '--', null],
    ['a credit of unknown kind', '1.50', null, '--', null],
  ])('H20, register 10, 32, 33: %s', async (_what, amount, usual, isoCode, ownCode) => {
    const codes = async () => {
      const listed = await statement.one(amount);
      const read = await statement.details(listed.transactionId);
      expect([read[iso], read[own]]).toEqual([listed[iso], listed[own]]);
      return [listed[iso] ?? null, listed[own] ?? null];
    };
    await statement.under({});
    expect(await codes()).toEqual([usual, null]);
    await statement.under({ 'bank-codes': 'iso' });
    expect(await codes()).toEqual([isoCode, null]);
    await statement.under({ 'bank-codes': 'proprietary' });
    expect(await codes()).toEqual([null, ownCode]);
    await statement.under({ 'bank-codes': 'none' });
    expect(await codes()).toEqual([null, null]);
  });

  test.each([
    ['by default', {}, ['CARD-NCRD-POSD', 'R_711']],
    ['iso', { 'bank-codes': 'iso' }, ['CARD-NCRD-POSD', undefined]],
    ['proprietary', { 'bank-codes': 'proprietary' }, [undefined, 'R_711']],
    ['none', { 'bank-codes': 'none' }, [undefined, undefined]],
  ])('register 32, 33: a transaction with both codes, %s', async (_what, quirks, codes) => {
    await statement.under(quirks);
    const refund = await statement.one('30.00');
    expect([refund[iso], refund[own]]).toEqual(codes);
  });

  test('register 32: a code with more or fewer than three parts is no ISO code', async () => {
    const shown = async (bankTransactionCode: string) => {
      const details = { bankTransactionCode };
      const told = { amount: { minor: 100n, currency: 'NOK' }, bookingDate: '2027-03-01', details, isFee: false };
      const body = { transactions: { booked: [{}] } };
      const answer = { operation: 'x', status: 200, body, transactions: { booked: [told], pending: [] } } as never;
      return (await quirk.show?.(answer, { quirks: new Map([['bank-codes', 'iso']]) } as never))?.body;
    };
    expect(await shown('PMNT-RCDT-SALA')).toEqual({ transactions: { booked: [{ [iso]: 'PMNT-RCDT-SALA' }] } });
    for (const code of ['PMNT-RCDT-SALA-X', 'X-PMNT-RCDT-OTHR', 'PMNT-RCDT'])
      expect(await shown(code)).toEqual({ transactions: { booked: [{ [iso]: 'PMNT-RCDT-RETP' }] } });
  });

  test.each([
    ['by default', {}, undefined, undefined, 'R_710'],
    ['iso', { 'bank-codes': 'iso' }, 'PMNT-ICDT-RETP', undefined, undefined],
    ['proprietary', { 'bank-codes': 'proprietary' }, undefined, 'R_943', 'R_710'],
    ['none', { 'bank-codes': 'none' }, undefined, undefined, undefined],
  ])('register 32, 33: pending ones and those of cards, %s', async (_what, quirks, isoCode, ownCode, cardCode) => {
    await statement.under(quirks);
    const { pending } = await statement.list();
    const cards = await statement.cardList();
    expect([pending[1][iso], pending[1][own]]).toEqual([isoCode, ownCode]);
    expect([...cards.booked, ...cards.pending].map((item) => item[own])).toEqual([cardCode, cardCode]);
  });
});

describe('Q5g: counterparty', () => {
  const names = /^(creditor|debtor|ultimate|cardAcceptor)/;
  const namesIn = (item: object) => Object.keys(item).filter((name) => names.test(name));
  const transfer = ['creditorName', 'creditorAccount', 'debtorName', 'debtorAccount'];

  test.each([
    ['a card purchase', '-49.90', ['creditorName'], []],
    ['a refund', '30.00', ['debtorName', 'debtorAgent'], []],
    ['the fee of a payment keeps the own account', '-5.00', ['debtorName', 'debtorAccount'], ['debtorAccount']],
    ['a transfer out', '-11.00', transfer, transfer],
    ['a KID payment', '-12.00', transfer, transfer],
    ['a transfer in', '250.00', ['debtorName', 'debtorAccount'], ['debtorName', 'debtorAccount']],
    ['a salary', '30000.00', ['debtorName'], ['debtorName']],
    ['a batch', '-13.00', ['debtorName', 'debtorAccount'], ['debtorName', 'debtorAccount']],
  ])('register 31: %s', async (_what, amount, usual, shown) => {
    const named = async () => {
      const listed = await statement.one(amount);
      expect(namesIn(await statement.details(listed.transactionId))).toEqual(namesIn(listed));
      return namesIn(listed).toSorted();
    };
    await statement.under({});
    expect(await named()).toEqual(usual.toSorted());
    await statement.under({ counterparty: 'transfers' });
    expect(await named()).toEqual(shown.toSorted());
  });

  test('register 31: a transaction of a card account names no shop', async () => {
    const named = async () => {
      const { booked, pending } = await statement.cardList();
      return [...booked, ...pending].map(namesIn);
    };
    const shop = ['cardAcceptorId', 'cardAcceptorAddress'];
    await statement.under({});
    expect(await named()).toEqual([shop, shop]);
    await statement.under({ counterparty: true });
    expect(await named()).toEqual([[], []]);
  });
});
