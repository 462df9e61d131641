import { beforeEach, describe, expect, test } from '@jest/globals';
import { memoryBank } from '../lab/bank.ts';
import { periodicPath, periodicPayment, singlePayment } from '../lab/bodies.ts';
import { meet as introduce, pay, people } from '../lab/payments.ts';
import {
  accounts,
  balancesOf,
  historyOf,
  initiate,
  inspected,
  meet,
  nora,
  refusalOf,
  sepaPayment,
} from '../lab/products.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-04-14T12:00:00+02:00');
beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
  await meet(bank);
});

const own = (changes: object = {}) => singlePayment({ creditorAccount: accounts.noraOther, ...changes });

describe('A5, S1: between accounts of one PSU no SCA is needed', () => {
  test('due today it is PDNG at once: no startAuthorisation, no scaRedirect, no RCVD, whatever the session', async () => {
    const { body } = await initiate(bank, 'domestic', own());
    expect(body).toMatchObject({ transactionStatus: 'PDNG' });
    expect(Object.keys(body._links).sort()).toEqual(['self', 'status']);
    expect(body._links.self.verbs).toEqual(['GET']);
    expect(await historyOf(bank, body.paymentId)).toBe('PDNG exempt');
    const { body: report } = await bank.advance({ runs: 1 });
    expect(report.runs).toMatchObject([{ settled: 1 }]);
    expect(await balancesOf(bank, nora, '70323119469')).toMatchObject({ interimAvailable: '10100.00' });
  });

  test('due later it is ACSP and can be deleted', async () => {
    const { body } = await initiate(bank, 'domestic', own({ requestedExecutionDate: '2027-04-15' }));
    expect(body.transactionStatus).toBe('ACSP');
    expect(body._links.self.verbs).toEqual(['GET', 'DELETE']);
    expect(await historyOf(bank, body.paymentId)).toBe('ACSP exempt');
  });

  test('on a closed day it is moved like any other', async () => {
    const { body } = await initiate(bank, 'domestic', own({ requestedExecutionDate: '2027-04-17' }));
    expect(body).toMatchObject({ transactionStatus: 'ACSP', tppMessages: [{ code: 'EXECUTION_DATE_INVALID' }] });
    expect((await inspected(bank, body.paymentId)).executionDate).toBe('2027-04-19');
  });

  test('a periodic payment is ACSP, also when its first date is today', async () => {
    const body = periodicPayment({ creditorAccount: accounts.noraOther, startDate: '2027-04-14' });
    const answer = await bank.signed('POST', periodicPath, {
      body,
      headers: { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' },
    });
    expect(answer.body).toMatchObject({ transactionStatus: 'ACSP' });
    expect(await historyOf(bank, answer.body.paymentId)).toBe('ACSP exempt');
    const { body: report } = await bank.advance({ runs: 1 });
    expect(report.runs).toMatchObject([{ settled: 1, registered: 1 }]);
  });

  test('S9b: an instant payment is ACSC, or RJCT without funds', async () => {
    const settled = await initiate(bank, 'straks', own());
    expect(settled.body.transactionStatus).toBe('ACSC');
    expect(await historyOf(bank, settled.body.paymentId)).toBe('ACSC exempt, settled at once');
    const amount = { amount: '17900.01', currency: 'NOK' };
    const rejected = await initiate(bank, 'straks', own({ instructedAmount: amount }));
    expect(rejected.body.transactionStatus).toBe('RJCT');
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  });

  test('a foreign payment to an own account in EUR too', async () => {
    const creditorAccount = { iban: 'NO8085523166859', currency: 'EUR' };
    const { body } = await initiate(bank, 'sepa', sepaPayment({ creditorAccount }));
    expect(body).toMatchObject({ transactionStatus: 'PDNG', transactionFeeIndicator: true });
  });
});

describe('A5: it is needed', () => {
  test.each<[string, object]>([
    ['to another PSU', { creditorAccount: accounts.evenNok }],
    ['to an account elsewhere', {}],
    [
      'between two accounts of another PSU',
      {
        debtorAccount: { bban: '74712699947', currency: 'NOK' },
        creditorAccount: { bban: '24628359081', currency: 'NOK' },
      },
    ],
  ])('%s', async (_, change) => {
    const { body } = await initiate(bank, 'domestic', singlePayment(change));
    expect(body.transactionStatus).toBe('RCVD');
    expect(body._links).toHaveProperty('startAuthorisation');
  });

  test('and a refusal stays one', async () => {
    const answer = await initiate(bank, 'domestic', own({ requestedExecutionDate: '2027-04-13' }));
    expect(refusalOf(answer)).toBe('400 EXECUTION_DATE_INVALID requestedExecutionDate');
  });
});

describe('A5: an account that asks for several signatures gets them', () => {
  const kept = { currency: 'NOK', product: 'Brukskonto', cashAccountType: 'CACC', balance: '100.00' } as const;
  const from = { ...kept, accountName: 'From', bban: people.nora.bban, iban: `NO78${people.nora.bban}` };
  const to = { ...kept, accountName: 'To', bban: people.savings.bban, iban: `NO88${people.savings.bban}` };

  test.each([
    [2, 'RCVD'],
    [1, 'PDNG'],
  ])('between two accounts of one PSU, %i asked for: %s', async (signaturesRequired, status) => {
    const accounts = [{ ...from, signaturesRequired }, to];
    const customers = [{ customerNumber: people.nora.psu, name: 'Nora', type: 'private', accounts } as const];
    await using small = await memoryBank('2027-04-14T12:00:00+02:00', { knownState: { customers, agreements: [] } });
    await introduce(small, nora);
    const { payment } = await pay(small, { from: 'nora', to: 'savings', amount: '1.00' });
    expect(payment.status).toBe(status);
  });
});
