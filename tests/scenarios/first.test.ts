import { expect, test } from '@jest/globals';
import { advanceClock } from '../../engine/operations/advance-clock.ts';
import { finishSca } from '../../engine/operations/finish-sca.ts';
import { initiatePayment } from '../../engine/operations/initiate-payment.ts';
import { at, memoryBank } from '../support/bank.ts';
import type { LocalDate } from '../../engine/core/local-date.ts';

test('skeleton', async () => {
  const bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const out = await initiatePayment(bank, {
    tpp: { id: 't', name: 'T' }, psu: { psuIdentity: '13039319955' }, psuContext: 'PRIVATE',
    returnTo: { redirectUri: 'https://tpp.example/cb', sessionId: 's' }, product: 'norwegian-domestic-credit-transfers',
    initiation: { service: 'payments', body: { instructedAmount: { amount: '100.00', currency: 'NOK' }, creditorName: 'X',
      debtorAccount: { bban: '09232911044', currency: 'NOK' }, creditorAccount: { bban: '90491105991', currency: 'NOK' }, requestedExecutionDate: '2027-03-25' as LocalDate } },
  });
  console.log(out.warnings);
  console.log(await finishSca(bank, out.scaId ?? '', { outcome: 'approve', psu: '13039319955', context: 'PRIVATE', accounts: null }));
  const report = await advanceClock(bank, at('2027-04-01'));
  console.log(report);
  expect(report.runs.length).toBe(2);
  await bank.close();
});
