import { describe, expect, test } from '@jest/globals';
import type { BodyName } from './body-schemas.ts';
import { bodyFaults, changed } from './faults-of.ts';
import { creditTransfer, sandboxAccount, sandboxTransaction } from './samples.ts';

const customer = { customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' };
const outcome = { outcome: 'approve', psu: '13039319955', context: 'PRIVATE' };

describe('interface, Other operations 9: passes', () => {
  test.each<[BodyName, unknown]>([
    ['credit-transfer-initiation', creditTransfer],
    ['credit-transfer-initiation', changed(creditTransfer, 'remittanceInformationStructuredArray', undefined)],
    ['credit-transfer-initiation', changed(creditTransfer, 'requestedExecutionDate', undefined)],
    ['sandbox-customer', customer],
    ['sandbox-customer', { customerNumber: '88888888', name: 'Testfirma 1', type: 'corporate' }],
    ['sandbox-account', sandboxAccount],
    ['sandbox-account', { customerNumber: '88888888', bban: '83204742935', currency: 'NOK' }],
    ['sandbox-account', changed(sandboxAccount, 'creditLine', '500.00')],
    ['sandbox-transactions', [sandboxTransaction, { ...sandboxTransaction, amount: -21.1 }]],
    ['sandbox-transactions', [{ ...sandboxTransaction, amount: '-21.10' }]],
    ['sandbox-agreement', { owner: '88888888', name: 'Testfirma 1' }],
    ['user-verification', { identifier: `${'A'.repeat(43)}=` }],
    ['clock', { now: '2027-03-30', mode: 'frozen' }],
    ['clock', { now: '2027-03-30T05:30:00.000+02:00' }],
    ['advance', { to: '2027-03-30T05:30:00Z' }],
    ['advance', { by: 'P3D' }],
    ['advance', { runs: 5 }],
    ['advance', { until: { paymentId: 'enc!!x=', status: 'ACSC' } }],
    ['reset', {}],
    ['reset', { fixtures: 'large' }],
    ['sca-outcome', outcome],
    ['sca-outcome', { ...outcome, context: 'CORPORATE', agreement: 'a', accounts: ['NO2390412263056'] }],
    ['sca-outcome', { ...outcome, outcome: 'fail', failure: 'SCA_INVALID' }],
  ])('%s %j', (name, body) => {
    expect(bodyFaults(name, body)).toEqual([]);
  });
});

describe('refuses', () => {
  test.each<[BodyName, unknown, string | undefined, string]>([
    [
      'credit-transfer-initiation',
      { ...creditTransfer, remittanceInformationUnstructured: 'x' },
      'remittanceInformationStructuredArray',
      'never both',
    ],
    [
      'credit-transfer-initiation',
      changed(creditTransfer, 'remittanceInformationStructuredArray.1.reference', undefined),
      'remittanceInformationStructuredArray[1].reference',
      'is missing',
    ],
    [
      'credit-transfer-initiation',
      changed(creditTransfer, 'remittanceInformationStructuredArray.0.referencType', 'CINV'),
      'remittanceInformationStructuredArray[0].referencType',
      'members are reference, referenceType, referenceIssuer',
    ],
    [
      'credit-transfer-initiation',
      changed(creditTransfer, 'requestedExecutionDate', '2027-03-30T00:00:00+02:00'),
      'requestedExecutionDate',
      'date-time',
    ],
    ['credit-transfer-initiation', { ...creditTransfer, startDate: '2027-03-30' }, 'startDate', 'no member'],
    ['sandbox-customer', { ...customer, customerNumber: '88888888' }, 'customerNumber', '11 digits'],
    ['sandbox-customer', { ...customer, customerNumber: '130393-19955' }, 'customerNumber', 'digits'],
    ['sandbox-customer', { ...customer, type: 'Private' }, 'type', 'private, corporate'],
    ['sandbox-account', { ...sandboxAccount, creditLine: -1 }, 'creditLine', 'below zero'],
    ['sandbox-account', { ...sandboxAccount, creditLine: 2 ** 53 }, 'creditLine', '2^53'],
    ['sandbox-account', { ...sandboxAccount, creditLine: 0.001 }, 'creditLine', 'fraction digits'],
    ['sandbox-account', { ...sandboxAccount, currency: 'EUR' }, 'balances[0].balanceAmount.currency', 'EUR'],
    ['sandbox-account', { ...sandboxAccount, bban: '90412329715' }, 'iban', 'names account 90412263056'],
    ['sandbox-account', { customerNumber: '1', currency: 'NOK' }, undefined, 'neither bban nor iban'],
    [
      'sandbox-account',
      changed(sandboxAccount, 'balances.0.balanceAmount.amount', 1.234),
      'balances[0].balanceAmount.amount',
      '2 fraction digits',
    ],
    ['sandbox-transactions', sandboxTransaction, undefined, 'a list'],
    ['sandbox-transactions', [], undefined, 'one transaction or more'],
    [
      'sandbox-transactions',
      [sandboxTransaction, sandboxTransaction, { ...sandboxTransaction, bookingDate: '2019-05-13' }],
      '[2].bookingDate',
      'after valueDate',
    ],
    ['sandbox-transactions', [{ ...sandboxTransaction, amount: 2 ** 53 }], '[0].amount', '2^53'],
    ['clock', {}, undefined, 'now, mode, rate or several'],
    ['clock', { now: '2027-03-30T05:30:00' }, 'now', 'offset'],
    ['clock', { now: 1 }, 'now', 'string'],
    ['advance', {}, undefined, 'exactly one'],
    ['advance', { runs: 5, by: 'P1D' }, undefined, 'by and runs'],
    ['advance', { by: '3 days' }, 'by', 'P3D'],
    ['advance', { runs: 0 }, 'runs', '1 or more'],
    ['advance', { until: { paymentId: 'x' } }, 'until.status', 'is missing'],
    ['reset', { fixture: 'x' }, 'fixture', 'members are fixtures'],
    ['sca-outcome', { ...outcome, outcome: 'approved' }, 'outcome', 'approve, cancel, reject, fail, expire'],
    ['sca-outcome', { outcome: 'approve', context: 'PRIVATE' }, 'psu', 'is missing'],
    ['sca-outcome', { ...outcome, accounts: ['a', 'a'] }, 'accounts', 'accounts'],
  ])('%s %j', (name, body, path, text) => {
    const faults = bodyFaults(name, body);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.path).toBe(path);
    expect(faults[0]?.text).toContain(text);
  });
});
