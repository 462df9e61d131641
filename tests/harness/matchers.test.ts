import { describe, expect, test } from '@jest/globals';
import { matchers } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';
import '../../api/harness/jest.ts';

const held = harnessBank({ idSeed: 'matchers' });

/** What a failing expectation says; the payment's id, which differs from one test to the next, by that word. */
async function messageOf(expectation: Promise<void>): Promise<string> {
  const error = await expectation.then(
    () => new Error('it passed'),
    (reason: unknown) => reason as Error,
  );
  return error.message.replaceAll(/enc!!\S+(?=:)/g, 'ID');
}

const lines = (...texts: string[]): string => texts.join('\n');

describe('a matcher that fails tells what happened', () => {
  test('a payment that has not settled yet: when it will be executed', async () => {
    const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' });
    expect(await messageOf(expect(held.bank.payments(payment)).toSettleOn('2027-03-25'))).toBe(
      lines(
        'expected the payment to settle on 2027-03-25, and it has not settled',
        '  ordered Wed 24 -- closed 25-29 -- ○ Tue 30 05:30   expected Thu 25',
        'Payment ID: ACSP, asked for Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice',
        'History:',
        '  2027-03-24 12:00  RCVD  initiation',
        '  2027-03-24 12:00  ACSP  signed by the PSU',
        'Attempts: none',
        'Next: tried in run 2027-03-30/1 at 2027-03-30 05:30: Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
      ),
    );
  });

  test('P14b: a payment that is to be rejected: why', async () => {
    const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '251.00', on: '2027-03-30' });
    const story = held.bank.reject(payment, { reason: 'the payee has moved' });
    expect(await messageOf(expect(story).toBeRejectedAfter(1))).toBe(
      lines(
        'expected the payment to be rejected after 1 attempt, and it is ACSP after 0 attempts',
        '  ordered Wed 24 -- closed 25-29 -- ○ Tue 30 05:30',
        'Payment ID: ACSP, is rejected Tue 30 Mar, 05:30: the payee has moved',
        'History:',
        '  2027-03-24 12:00  RCVD  initiation',
        '  2027-03-24 12:00  ACSP  signed by the PSU',
        '  2027-03-24 12:00  ACSP  payment to be rejected at its next attempt: the payee has moved',
        'Attempts: none',
        'Next: tried in run 2027-03-30/1 at 2027-03-30 05:30, to be rejected: the payee has moved',
      ),
    );
  });

  test('a payment without funds: each attempt, what there was and what was needed', async () => {
    const payment = await held.bank.tpp().pay({ from: anne.bban, to: stranger, amount: '100.00', on: '2027-03-30' });
    await held.bank.clock.advance('2027-03-30T10:00:00+02:00');
    expect(await messageOf(expect(held.bank.payments(payment)).toBeRejectedAfter(5))).toBe(
      lines(
        'expected the payment to be rejected after 5 attempts, and it is ACCP after 2 attempts',
        '  ordered Wed 24 -- closed 25-29 -- • Tue 30 05:30 -- • 09:30 -- ○ 11:30',
        'Payment ID: ACCP, 88.00 NOK short at the second attempt, run of Tue 30 Mar, 09:30; next attempt: run of Tue 30 Mar, 11:30',
        'History:',
        '  2027-03-24 12:00  RCVD  initiation',
        '  2027-03-24 12:00  ACSP  signed by the PSU',
        '  2027-03-30 00:00  PDNG  due',
        '  2027-03-30 05:30  ACCP  run 2027-03-30/1, attempt 1',
        'Attempts:',
        '  2027-03-30 05:30  retry   nominal 2027-03-30  available NOK 12.00, needed NOK 100.00  88.00 NOK short at the first attempt, run of Tue 30 Mar, 05:30',
        '  2027-03-30 09:30  retry   nominal 2027-03-30  available NOK 12.00, needed NOK 100.00  88.00 NOK short at the second attempt, run of Tue 30 Mar, 09:30',
        'Next: tried again in run 2027-03-30/3 at 2027-03-30 11:30, due since 2027-03-30',
      ),
    );
  });

  test('T4: Next names the run that then tries it: of a standing order, of a bulk payment; unsigned and cancelled: none', async () => {
    const tpp = held.bank.tpp();
    const order = { from: nora.bban, to: stranger, amount: '10.00' };
    const nextOf = async (payment: string): Promise<string> => {
      const said = await messageOf(expect(held.bank.payments(payment)).toSettleOn('2027-01-01'));
      return said.split('\n').at(-1) ?? '';
    };
    const monthly = await tpp.pay({ ...order, on: '2027-04-15', every: 'Monthly' });
    expect(await nextOf(monthly)).toBe('Next: tried in run 2027-04-15/1 at 2027-04-15 05:30');
    const bulk = await tpp.pay({ from: nora.bban, payments: [{ to: stranger, amount: '1.00' }] });
    expect(await nextOf(bulk)).toBe('Next: tried in run 2027-03-24/4 at 2027-03-24 13:30');
    const unsigned = await tpp.pay({ ...order, amount: '11.00', on: '2027-04-15', every: 'Monthly', signedBy: [] });
    expect(await nextOf(unsigned)).toBe('Next: waits for a signature, for execution on 2027-04-15');
    const single = await tpp.pay({ ...order, amount: '12.00', on: '2027-03-30', signedBy: [] });
    expect(await nextOf(single)).toBe('Next: waits for a signature, for execution on 2027-03-30');
    await tpp.cancel(single);
    expect(await nextOf(single)).toBe('Next: nothing, no run will take it up again');
    const { nextAttempt } = await held.bank.payments(monthly);
    const { runs } = await held.bank.clock.advance(nextAttempt?.at ?? '');
    expect(runs.at(-1)).toMatchObject({ id: nextAttempt?.id, at: nextAttempt?.at, settled: 1 });
    expect(await nextOf(monthly)).toMatch(
      /^Next: tried in run 2027-05-18\/1 at 2027-05-18 05:30: Sat 15 May, closed: weekend, .*, due Tue 18 May$/,
    );
  });

  test('payments that were moved: why, with the nominal date of each attempt', async () => {
    const order = { from: nora.bban, to: stranger, amount: '10.00' };
    const single = await held.bank.tpp().pay({ ...order, on: '2027-12-24' });
    const monthly = await held.bank.tpp().pay({ ...order, on: '2027-12-24', every: 'Monthly', until: '2028-01-31' });
    await held.bank.clock.advance('2028-02-01');
    const christmas = 'Fri 24 Dec, closed: Julaften, Første juledag and Andre juledag, due Mon 27 Dec';
    const [ofSingle, ofMonthly] = await Promise.all(
      [single, monthly].map((id) => messageOf(expect(held.bank.payments(id)).toSettleOn('2027-12-24'))),
    );
    expect(ofSingle).toContain(`\nMoved:\n  ${christmas}\nNext: nothing`);
    for (const text of [ofSingle, ofMonthly])
      expect(text).toContain('\n  2027-12-27 05:30  settle  nominal 2027-12-24  available ');
    expect(ofMonthly).toContain('\n  2028-01-24 05:30  settle  nominal 2028-01-24  available ');
    expect(ofMonthly).toContain(`\nMoved:\n  ${christmas}\nNext: nothing`);
  });

  test('a daily payment: its latest attempts', async () => {
    const daily = { from: nora.bban, to: stranger, amount: '1.00', on: '2027-04-01', every: 'Daily' } as const;
    const payment = await held.bank.tpp().pay({ ...daily, until: '2027-05-31' });
    await held.bank.clock.advance('2027-06-02');
    const said = await messageOf(expect(held.bank.payments(payment)).toSettleOn('2027-06-01'));
    expect(said).toContain('\nAttempts, the latest 20 of ');
    expect(said.match(/ {2}settle {2}/g)).toHaveLength(20);
  });

  test('R9: an occurrence of a standing order without funds: its attempts, and the days that there are', async () => {
    const monthly = { from: anne.bban, to: stranger, amount: '10.00', on: '2027-04-15', every: 'Monthly' } as const;
    const order = await held.bank.tpp().pay({ ...monthly, until: '2027-06-20' });
    await expect(held.bank.payments(order)).not.toRejectOccurrence('2027-05-15');
    await held.bank.clock.advance('2027-05-18T12:00:00+02:00');
    const said = await messageOf(expect(held.bank.payments(order)).toRejectOccurrence('2027-05-15'));
    expect(said).toMatch(
      /^expected the occurrence of 2027-05-15 to be rejected, and it is ACCP\n {2}ordered Wed 24 -- /,
    );
    await held.bank.clock.advance('2027-05-19');
    await expect(held.bank.payments(order)).toRejectOccurrence('2027-05-15');
    await expect(held.bank.payments(order)).not.toRejectOccurrence('2027-04-15');
    await expect(held.bank.payments(order)).not.toRejectOccurrence('2027-06-15');
    const not = await messageOf(expect(held.bank.payments(order)).not.toRejectOccurrence('2027-05-15'));
    expect(not).toMatch(/^expected the occurrence of 2027-05-15 not to be rejected, and it is RJCT\n/);
    expect(not).toContain('8.00 NOK short at the fifth attempt, run of Tue 18 May, 15:30');
    // The day of the run, for one, is no nominal date: with .not it would pass whatever the bank did.
    for (const expectation of [expect(held.bank.payments(order)), expect(held.bank.payments(order)).not])
      await expect(expectation.toRejectOccurrence('2027-05-18')).rejects.toThrow(
        'toRejectOccurrence takes the nominal date of an occurrence: 2027-04-15, 2027-05-15, 2027-06-15, and got "2027-05-18"',
      );
  });

  test('P14b: an occurrence that the test has the bank reject; an item of a bulk payment', async () => {
    const monthly = { from: nora.bban, to: stranger, amount: '10.00', on: '2027-04-15', every: 'Monthly' } as const;
    const order = await held.bank.tpp().pay({ ...monthly, until: '2027-06-20' });
    await held.bank.reject(order, { occurrence: '2027-05-15', reason: 'the creditor account is closed' });
    await expect(held.bank.payments(order)).not.toRejectOccurrence('2027-05-15');
    const payments = [
      { to: stranger, amount: '1.00' },
      { to: stranger, amount: '100.00' },
    ];
    const bulk = await held.bank.tpp().pay({ from: anne.bban, payments });
    await held.bank.clock.advance('2027-06-16');
    await expect(held.bank.payments(order)).toRejectOccurrence('2027-05-15');
    await expect(held.bank.payments(order)).not.toRejectOccurrence('2027-06-15');
    await expect(held.bank.payments(bulk)).toRejectOccurrence('2027-03-24');
  });

  test('an account with another balance: its transactions', async () => {
    await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
    await held.bank.clock.advance({ runs: 1 });
    expect(await messageOf(expect(held.bank.account(nora.bban)).toHaveBalance('NOK 100.00'))).toBe(
      lines(
        'expected the account to have the balance NOK 100.00, and it has NOK 17750.00',
        'Account 09232911044 Totalkonto, available NOK 17750.00',
        'Transactions, the latest first:',
        '              pending  NOK -250.00  Payee',
      ),
    );
  });

  test('with .not too', async () => {
    const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
    await held.bank.clock.advance({ runs: 2 });
    await expect(held.bank.payments(payment)).not.toSettleOn('2027-03-25');
    await expect(held.bank.payments(payment)).not.toBeRejectedAfter(5);
    await expect(held.bank.account(nora.bban)).not.toHaveBalance('NOK 18000.00');
    const said = await messageOf(expect(held.bank.payments(payment)).not.toSettleOn('2027-03-24'));
    expect(said).toMatch(/^expected the payment not to settle on 2027-03-24, and it settled on 2027-03-24\n/);
  });
});

test('a value is taken as well as a promise of it', async () => {
  await expect(await held.bank.account(anne.bban)).toHaveBalance('NOK 12.00');
});

test.each([
  ['a payment', () => matchers.toSettleOn(42, '2027-03-30'), 'toSettleOn takes a payment of bank.payments(paymentId)'],
  [
    'a date',
    () => matchers.toSettleOn({}, '30 March'),
    'toSettleOn takes a date such as 2027-03-30, and got "30 March"',
  ],
  ['a number', () => matchers.toBeRejectedAfter({}, 0.5), 'toBeRejectedAfter takes a number of attempts such as 5'],
  [
    'a balance',
    () => matchers.toHaveBalance({}, '100'),
    'toHaveBalance takes a text such as NOK 100.00, and got "100"',
  ],
  [
    'an order',
    () => matchers.toRejectOccurrence({}, '2027-05-15'),
    'toRejectOccurrence takes a payment of bank.payments',
  ],
  [
    'an account',
    () => matchers.toHaveBalance({}, 'NOK 1.00'),
    'toHaveBalance takes an account of bank.account(number)',
  ],
])('where %s is missing, a mistake of the test is told, with .not too', async (_what, call, text) => {
  await expect(call()).rejects.toThrow(text);
});

test('a wrong argument of a matcher leaves no call of the bank under way', async () => {
  const refused = [
    expect(held.bank.payments('x')).toSettleOn('30.03.2027'),
    expect(held.bank.payments('x')).toBeRejectedAfter(-1),
    expect(held.bank.payments('x')).toRejectOccurrence('15.05.2027'),
    expect(held.bank.account(nora.bban)).toHaveBalance('17750.00'),
  ];
  // All at once: one that is refused while nobody waits for it fails the file.
  await Promise.all(refused.map((expectation) => expect(expectation).rejects.toThrow()));
});
