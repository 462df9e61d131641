import { expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { brokenProofs } from '../lab/proof.ts';
import { psuHeaders, startTestBank } from '../lab/server.ts';

/* Rules that meet in one payment. */

test('P3, S2, S4, S9b: a bulk payment on 17 May with two signatures and no funds', async () => {
  await using bank = await startTestBank('2027-05-10T12:00:00+02:00');
  const [sigrid, tor] = ['17818050100', '20818850094'];
  const corporate = { context: 'CORPORATE' };
  const items = [bulkItem('800000.00'), bulkItem('900000.00')];
  const debtorAccount = { bban: '34330000017', currency: 'NOK' };
  const made = await bank.signed('POST', bulkPath, {
    body: bulkPayment(items, { debtorAccount, requestedExecutionDate: '2027-05-17' }),
    headers: { 'x-psu-identity': sigrid, 'psu-context': 'CORPORATE' },
  });
  const moved = expect.stringMatching(/^2027-05-17 is closed .* executed on 2027-05-18, the following banking day\.$/);
  expect(made).toMatchObject({ status: 201, body: { tppMessages: [{ text: moved }] } });
  const self = `${bulkPath}/${made.body.paymentId}`;
  const status = async () => (await bank.signed('GET', `${self}/status`)).body;
  await bank.approve(made.body, sigrid, corporate);
  expect(await status()).toMatchObject({ transactionStatus: 'PATC', tppMessages: [{ text: moved }] });
  const second = await bank.signed('POST', `${self}/authorisations`);
  await bank.approve(second.body, tor, corporate);
  expect(await status()).toMatchObject({ transactionStatus: 'ACSP', tppMessages: [{ text: moved }] });
  await bank.advance({ to: '2027-05-18T05:29:59+02:00' });
  expect(await status()).toMatchObject({ transactionStatus: 'PDNG', tppMessages: [{ text: moved }] });
  for (const [index, after] of ['ACCP', 'ACCP', 'ACCP', 'ACCP', 'RJCT'].entries()) {
    const { body } = await bank.advance({ runs: 1 });
    expect(body.runs).toMatchObject([{ id: `2027-05-18/${index + 1}`, settled: 0 }]);
    const seen = await status();
    expect([seen.transactionStatus, seen.tppMessages.length]).toEqual([after, 2]);
    for (const { path, text } of seen.tppMessages) {
      expect([path, text]).toEqual([
        expect.stringMatching(/^payments\[[01]\]$/),
        expect.stringContaining('funds lacking'),
      ]);
    }
  }
  expect(await brokenProofs(bank.bank)).toEqual({});
});

test('A2: one SCA that is approved sixteen times at once signs once, and the payment settles once', async () => {
  await using bank = await startTestBank('2027-04-05T12:00:00+02:00');
  const psu = '13039319955';
  const made = await bank.signed('POST', singlePath, { body: singlePayment(), headers: psuHeaders(psu) });
  const sca = new URL(made.body._links.scaRedirect.href).pathname.split('/').at(-1);
  const approval = { outcome: 'approve', psu, context: 'PRIVATE' };
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => bank.control('POST', `/sandbox/sca/${sca}`, approval)),
  );
  const successes = answers.filter(({ body }) => new URL(body.redirect ?? 'x:').searchParams.has('psu-id'));
  expect(successes).toHaveLength(1);
  expect((await bank.payment(made.body.paymentId)).signatures).toHaveLength(1);
  const { body } = await bank.advance({ by: 'P2D' });
  expect(body.runs).toMatchObject([{ settled: 1 }, { settled: 0, booked: 1 }]);
  const seen = await bank.payment(made.body.paymentId);
  expect(seen).toMatchObject({ status: 'ACSC', attempts: [{ outcome: 'settle' }] });
  expect(seen.entries).toHaveLength(2);
  expect(await brokenProofs(bank.bank)).toEqual({});
});
