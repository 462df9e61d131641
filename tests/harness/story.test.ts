import '../../api/harness/jest.ts';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';
import '../../api/harness/jest.ts';

const held = harnessBank();
const maundyThursday = '2027-03-25';
const order = { from: nora.bban, to: stranger, amount: '250.00', on: maundyThursday };
const shared = '34330000017';

describe('a payment in three lines', () => {
  test('P14b: with the money it is rejected for the reason that a test gives', async () => {
    const payment = await held.bank.tpp().pay(order);
    const reason = 'the creditor account is closed';
    expect(await held.bank.reject(payment, { reason })).toMatchObject({ occurrences: [{ rejection: reason }] });
    await held.bank.clock.advance('2027-03-31');
    await expect(held.bank.payments(payment)).toBeRejectedAfter(1);
    await expect(held.bank.account(nora.bban)).toHaveBalance('NOK 18000.00');
    await expect(held.bank.reject(payment, { reason })).rejects.toThrow('The payment is RJCT, which is final');
  });

  test('all who must sign for a corporation do', async () => {
    const payment = await held.bank.tpp().pay({ from: shared, to: stranger, amount: '10.00' });
    const { status, signatures } = await held.bank.payments(payment);
    expect({ status, signed: signatures.length }).toEqual({ status: 'PDNG', signed: 2 });
  });

  test('D4: an IBAN with blanks is that of the same account, with the same signers', async () => {
    const { iban } = await held.bank.account(shared);
    const from = (iban ?? '').replaceAll(/(.{4})/g, '$1 ').trimEnd();
    expect(from).toMatch(/^NO\d\d \d{4} \d{4} \d{3}$/);
    const payment = await held.bank.tpp().pay({ ...order, from });
    expect((await held.bank.payments(payment)).signatures).toHaveLength(2);
    await held.bank.tpp().cancel(payment);
    expect((await held.bank.payments(payment)).status).toBe('CANC');
  });

  test('one who signs alone where two must leaves it in PATC, nobody in RCVD; the second signs later', async () => {
    const tpp = held.bank.tpp();
    const order = { from: shared, to: stranger, amount: '10.00' };
    const unsigned = await tpp.pay({ ...order, signedBy: [] });
    expect((await held.bank.payments(unsigned)).status).toBe('RCVD');
    const partly = await tpp.pay({ ...order, amount: '11.00', signedBy: ['17818050100'] });
    expect((await held.bank.payments(partly)).status).toBe('PATC');
    await held.bank.psu('20818850094').approve(await tpp.authorise(partly), { context: 'CORPORATE' });
    expect((await held.bank.payments(partly)).status).toBe('PDNG');
  });

  test('A5: between accounts of one PSU nobody needs to sign, once the PSU has had an SCA with this TPP', async () => {
    const signatures = async (amount: string): Promise<number> => {
      const payment = await held.bank.tpp().pay({ ...order, amount, to: '70323119469' });
      return (await held.bank.payments(payment)).signatures.length;
    };
    expect([await signatures('1.00'), await signatures('2.00'), await signatures('3.00')]).toEqual([1, 0, 0]);
  });

  test.each([
    [
      'an unknown debtor',
      { from: '09232911045' },
      'This bank has no account "09232911045". The nearest is 09232911044;',
    ],
    ['an amount that is none', { amount: '1,5' }, 'The payment was refused, 400: FORMAT_ERROR instructedAmount.amount'],
    ['a refusal', { from: '34500000025' }, 'The payment was refused, 403: SERVICE_BLOCKED debtorAccount The bank has'],
    ['a PSU who may not', { signedBy: ['12085592767'] }, 'The PSU 12085592767 could not sign: FORBIDDEN'],
  ])('%s is told', async (_what, changes, text) => {
    await expect(held.bank.tpp().pay({ ...order, ...changes })).rejects.toThrow(text);
  });
});

describe('P12: a TPP cancels', () => {
  test.each([
    ['one that nobody has signed, at once', { signedBy: [] }],
    ['a signed one, with the signature of its PSU', {}],
    ['a periodic one', { every: 'Monthly', until: '2027-12-31' } as const],
    ['one of a corporation', { from: shared }],
  ])('%s', async (_what, changes) => {
    const payment = await held.bank.tpp().pay({ ...order, ...changes });
    await held.bank.tpp().cancel(payment);
    expect((await held.bank.payments(payment)).status).toBe('CANC');
  });

  test.each([['one person', nora.psu] as const, ['a list', [nora.psu]] as const])(
    'signedBy takes %s, as that of pay does; nobody leaves it',
    async (_what, signedBy) => {
      const tpp = held.bank.tpp();
      const payment = await tpp.pay({ ...order, signedBy });
      expect((await held.bank.payments(payment)).signatures.map(({ psu }) => psu)).toEqual([nora.psu]);
      await tpp.cancel(payment, { signedBy: [] });
      expect((await held.bank.payments(payment)).status).toBe('ACSP');
      await tpp.cancel(payment, { signedBy });
      expect((await held.bank.payments(payment)).status).toBe('CANC');
    },
  );

  test('one that is settled is refused, and so is the signature of a PSU who may not', async () => {
    const payment = await held.bank.tpp().pay(order);
    const error = await held.bank
      .tpp()
      .cancel(payment, { signedBy: '12085592767' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ paymentId: payment, code: 'PSU_CREDENTIALS_INVALID', status: 401 });
    await held.bank.clock.advance('2027-03-30T06:00:00+02:00');
    const late = { paymentId: payment, status: 405, code: 'CANCELLATION_INVALID' };
    await expect(held.bank.tpp().cancel(payment)).rejects.toMatchObject(late);
  });
});

describe('the PSU answers an SCA that the TPP started', () => {
  test.each([
    ['cancel', 'SCA_INVALID'],
    ['expire', 'SCA_EXPIRED'],
    ['fail', 'SCA_INVALID'],
  ] as const)('%s: the redirect says %s, and the payment stays', async (answer, code) => {
    const tpp = held.bank.tpp();
    const payment = await tpp.pay({ ...order, signedBy: [] });
    const redirect = await held.bank.psu(nora.psu)[answer](await tpp.authorise(payment));
    expect(redirect.searchParams.get('code')).toBe(code);
    expect((await held.bank.payments(payment)).status).toBe('RCVD');
  });
});

test("entries are those of the payment's own account, apart from the other leg", async () => {
  const payment = await held.bank.tpp().pay({ ...order, to: anne.bban });
  await held.bank.clock.advance('2027-03-31');
  const { entries, otherEntries } = await held.bank.payments(payment);
  expect(entries).toMatchObject([{ account: nora.bban, leg: 'debtor', amount: { amount: '-250.00' } }]);
  expect(otherEntries).toMatchObject([{ account: anne.bban, leg: 'other', amount: { amount: '250.00' } }]);
});

test('await using closes the bank', async () => {
  let closed;
  {
    await using bank = await createBank();
    closed = bank;
  }
  await expect(closed.clock.now()).rejects.toThrow('The bank was closed');
});

describe('a missing await is told', () => {
  const later = <Value>(value: Value) => Promise.resolve(value) as unknown as Value;
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'bank.payments',
      () => held.bank.payments(later('x')),
      'takes a paymentId, and got a promise: an await is missing.',
    ],
    ['bank.reject', () => held.bank.reject(later('x'), { reason: 'r' }), 'takes a paymentId, and got a promise'],
    ['bank.account', () => held.bank.account(later('x')), 'takes a BBAN or IBAN, and got a promise'],
    ['bank.restore', () => held.bank.restore(later('x')), 'takes the name of a snapshot, and got a promise'],
    ['bank.snapshot', () => held.bank.snapshot(later('x')), 'takes the name of a snapshot, and got a promise'],
    ['bank.forecast', () => held.bank.forecast(later('P1D')), 'a duration such as P30D, and got a promise'],
    ['clock.advance', () => held.bank.clock.advance(later('P1D')), 'and got a promise: an await is missing.'],
    ['clock.advance', () => held.bank.clock.advance({ to: later('P1D') }), 'an instant in to, and got a promise'],
    [
      'clock.advance',
      () => held.bank.clock.advance({ until: { paymentId: later('x'), status: 'RJCT' } }),
      'a paymentId in until, and got a promise',
    ],
    ['clock.set', () => held.bank.clock.set({ now: later('2027-03-24') }), 'an instant in now, and got a promise'],
    ['tpp.pay', () => held.bank.tpp().pay({ ...order, from: later(nora.bban) }), 'and got a promise'],
    ['tpp.cancel', () => held.bank.tpp().cancel(later('x')), 'takes a paymentId, and got a promise'],
    ['tpp.cancel', () => held.bank.tpp().cancel('x', { signedBy: later('x') }), 'in signedBy, and got a promise'],
    ['tpp.authorise', () => held.bank.tpp().authorise(later('x')), 'takes a paymentId, and got a promise'],
    ['psu.approve', () => held.bank.psu(nora.psu).approve(later(new URL('http://x'))), 'and got a promise'],
    ['psu.cancel', () => held.bank.psu(nora.psu).cancel(undefined as unknown as string), 'and got undefined.'],
    ['psu.reject', () => held.bank.psu(nora.psu).reject(undefined as unknown as string), 'and got undefined.'],
    ['fetch', () => held.bank.fetch(later('/v1/accounts')), 'takes a path such as /v1/accounts, and got a promise'],
    ['fetch', () => held.bank.tpp().fetch('/v1/x', { body: later({}) }), 'takes a body, and got a promise'],
    [
      'fetch',
      () => held.bank.fetch('/v1/x', { headers: { 'psu-id': later('x') } }),
      'takes a text or null for the header psu-id, and got a promise',
    ],
    ['createBank', () => createBank({ now: later('2027-03-24') }), 'takes a value of now, and got a promise'],
  ])('%s', async (call, use, text) => {
    const error = await use().catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(new RegExp(`^${call.replace('.', '\\.')} takes `));
    expect((error as Error).message).toContain(text);
  });
});

describe('the clock', () => {
  test('takes a Date, of a jest file too', async () => {
    await using bank = await createBank({ now: new Date('2027-03-24T11:00:00Z') });
    expect(await bank.clock.now()).toBe('2027-03-24T12:00:00.000+01:00');
    expect((await bank.clock.advance(new Date('2027-03-24T12:00:00Z'))).to).toBe('2027-03-24T13:00:00.000+01:00');
    expect((await bank.clock.advance({ to: new Date('2027-03-24T13:00:00Z') })).to).toBe(
      '2027-03-24T14:00:00.000+01:00',
    );
    expect((await bank.forecast(new Date('2027-04-01T00:00:00Z'))).to).toBe('2027-04-01T02:00:00.000+02:00');
    expect((await bank.clock.set({ now: new Date('2027-05-01T10:00:00Z') })).date).toBe('2027-05-01');
    await expect(bank.clock.advance(new Date('Easter'))).rejects.toThrow('and got an invalid Date.');
  });

  test('goes to a date, by a duration, or by runs, and tells what happened', async () => {
    expect(await held.bank.clock.advance('2027-03-30')).toMatchObject({
      to: '2027-03-30T00:00:00.000+02:00',
      runs: [],
    });
    expect((await held.bank.clock.advance('P1D')).to).toBe('2027-03-31T00:00:00.000+02:00');
    expect((await held.bank.clock.advance({ runs: 2 })).to).toBe('2027-03-31T09:30:00.000+02:00');
  });

  test.each([
    ['backwards', '2027-01-01', /has passed: the bank clock shows .* Allowed: from 2027-03-24T12:00/],
    ['a duration that is none', 'P3X', /"P3X" is refused: expected an ISO 8601 duration/],
    ['nothing', undefined, /^clock\.advance takes a date, an instant, a duration such as P3D, or .* got undefined\.$/],
    ['no date', 'Easter', /"Easter" is refused: /],
  ])('%s is told', async (_what, target, text) => {
    await expect(held.bank.clock.advance(target as string)).rejects.toThrow(text);
  });

  test('is set and frozen', async () => {
    expect(await held.bank.clock.set({ now: '2027-01-04', mode: 'frozen' })).toMatchObject({ date: '2027-01-04' });
  });
});

describe('snapshots', () => {
  test('an unknown one is told with those that there are', async () => {
    await held.bank.snapshot('before');
    await expect(held.bank.restore('after')).rejects.toThrow('There is no snapshot "after". Allowed: seeded, before');
  });
});

describe('a name that is no option is refused, with the nearest: JavaScript has no types', () => {
  const wrong = <Given>(given: object): Given => given as Given;

  test.each<[string, () => unknown, string]>([
    ['bank.tpp', () => held.bank.tpp(wrong({ nmae: 'shop' })), 'bank.tpp has no option nmae; the nearest is name.'],
    ['roles of no list', () => held.bank.tpp(wrong({ roles: 'PSP_AI' })), 'a list of PSP_AI and PSP_PI in roles'],
    ['roles that there are not', () => held.bank.tpp(wrong({ roles: ['AISP'] })), 'and got ["AISP"].'],
    ['tpp.pay', () => held.bank.tpp().pay(wrong({ ...order, evry: 'Monthly' })), 'the nearest is every.'],
    ['tpp.cancel', () => held.bank.tpp().cancel('x', wrong({ signdBy: nora.psu })), 'the nearest is signedBy.'],
    ['tpp.fetch', () => held.bank.tpp().fetch('/v1/x', wrong({ methd: 'POST' })), 'the nearest is method.'],
    ['tpp.sign', () => held.bank.tpp().sign('/v1/x', wrong({ spoil: () => 1 })), 'tpp.sign has no option spoil.'],
    ['bank.fetch', () => held.bank.fetch('/v1/x', wrong({ header: {} })), 'the nearest is headers.'],
    ['until without every', () => held.bank.tpp().pay(wrong({ ...order, until: '2027-12-31' })), 'until with every'],
    ['tpp.consent', () => held.bank.tpp().consent(wrong({ psu: nora.psu, acounts: [] })), 'the nearest is accounts.'],
    ['psu.approve', () => held.bank.psu(nora.psu).approve('x', wrong({ contxt: 'CORPORATE' })), 'nearest is context.'],
  ])('%s', async (_call, act, text) => {
    await expect((async () => act())()).rejects.toThrow(text);
  });

  test('reader.transactions', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    await expect(reader.transactions(nora.bban, wrong({ form: '2027-01-01' }))).rejects.toThrow('the nearest is from.');
  });
});
