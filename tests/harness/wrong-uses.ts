/*
 * Wrong uses of the package, each refused by the compiler, and right ones. Nothing of it runs: tests/full/package/types.test.ts compiles it
 * against the built declarations, where an `@ts-expect-error` without an error is one.
 */
import type {
  AccountState,
  Bank,
  BankError,
  BankInfo,
  createBank as CreateBank,
  FaultCode,
  PaymentOrder,
  ReadAccount,
  SignedBy,
} from '../../api/harness/index.ts';

const order = { from: '09232911044', to: '90491105991', amount: '250.00' };

export async function wrongUses(bank: Bank, createBank: typeof CreateBank, error: BankError): Promise<void> {
  const payment = await bank.tpp().pay(order);
  const tpp = bank.tpp();
  const psu = bank.psu('13039319955');
  const page = await tpp.authorise(payment);

  // @ts-expect-error 1: no status
  await bank.clock.advance({ until: { paymentId: payment, status: 'REJECTED' } });
  // @ts-expect-error 2: a status in lower case
  await bank.clock.advance({ until: { paymentId: payment, status: 'rjct' } });
  // @ts-expect-error 3: until what
  await bank.clock.advance({ until: { paymentId: payment } });
  // @ts-expect-error 4: a number is no duration
  await bank.clock.advance(5);
  // @ts-expect-error 5: a number of runs is a number
  await bank.clock.advance({ runs: '5' });
  // @ts-expect-error 6: nothing to go to
  await bank.clock.advance();
  // @ts-expect-error 7: a promise of a paymentId
  await bank.payments(bank.tpp().pay(order));
  // @ts-expect-error 8: a promise of a paymentId
  await tpp.cancel(tpp.pay(order));
  // @ts-expect-error 9: a promise of an address
  await psu.approve(tpp.authorise(payment));
  // @ts-expect-error 10: no address
  await psu.approve(undefined);
  // @ts-expect-error 11: no context
  await psu.approve(page, { context: 'COMPANY' });
  // @ts-expect-error 12: no failure
  await psu.fail(page, 'SCA_INVALD');
  // @ts-expect-error 13: no frequency
  await tpp.pay({ ...order, on: '2027-04-15', every: 'monthly' });
  // @ts-expect-error 14: a periodic payment starts on a day
  await tpp.pay({ ...order, every: 'Monthly' });
  // @ts-expect-error 15: the end of a payment that is made once
  await tpp.pay({ ...order, on: '2027-04-15', until: '2027-12-31' });
  // @ts-expect-error 16: MonthlyVariable has months
  await tpp.pay({ ...order, on: '2027-04-15', every: 'MonthlyVariable' });
  // @ts-expect-error 17: Monthly has no months
  await tpp.pay({ ...order, on: '2027-04-15', every: 'Monthly', monthsOfExecution: [3] });
  // @ts-expect-error 18: an amount is a text, as numbers are not exact
  await tpp.pay({ ...order, amount: 250 });
  // @ts-expect-error 19: no debtor
  await tpp.pay({ to: '90491105991', amount: '250.00' });
  // @ts-expect-error 20: a person who signs has a number that is a text
  await tpp.pay({ ...order, signedBy: 13_039_319_955 });
  // @ts-expect-error 21: no member of an order; `more` has members of the body
  await tpp.pay({ ...order, creditorName: 'Company 123' });
  // @ts-expect-error 22: no quirk
  await createBank({ quirks: ['signature401'] });
  // @ts-expect-error 23: no option
  await createBank({ clock: '2027-03-24' });
  // @ts-expect-error 24: no mode
  await createBank({ mode: 'stopped' });
  // @ts-expect-error 25: no instant
  await createBank({ now: 1_806_000_000_000 });
  // @ts-expect-error 26: no role
  bank.tpp({ roles: ['PISP'] });
  // @ts-expect-error 27: a PSU has a number
  bank.psu();
  // @ts-expect-error 28: a rejection has a reason
  await bank.reject(payment, {});
  // @ts-expect-error 29: a status that no payment has
  if ((await bank.payments(payment)).status === 'SETTLED') return;
  // @ts-expect-error 30: an outcome that no attempt has
  if ((await bank.payments(payment)).attempts[0]?.outcome === 'failed') return;
  // @ts-expect-error 31: no code
  if (error.code === 'SIGNATURE_WRONG') return;
  // @ts-expect-error 32: a balance is of an account, and has no number
  if ((await bank.account(order.from)).balance > 100) return;
  // @ts-expect-error 33: a header is a text or null
  await tpp.fetch('/v1/accounts', { headers: { 'psu-id': undefined } });
  // @ts-expect-error 34: a consent is of a PSU
  await tpp.consent({ accounts: [order.from] });
  // @ts-expect-error 35: a signed request has headers in a promise
  const { Signature } = tpp.sign('/v1/accounts');
  // @ts-expect-error 36: the story of a payment is read, not written
  (await bank.payments(payment)).status = 'ACSC';
  // @ts-expect-error 37: nothing has this name
  await bank.clock.forward('P3D');
  // @ts-expect-error 38: no product
  await tpp.pay({ ...order, product: 'sepa' });
  // @ts-expect-error 39: a standing order is a domestic one
  await tpp.pay({ ...order, on: '2027-04-15', every: 'Monthly', product: 'sepa-credit-transfers' });
  // @ts-expect-error 40: each of the payments has an amount
  await tpp.pay({ from: order.from, payments: [{ to: order.to }] });
  // @ts-expect-error 41: one creditor or many
  await tpp.pay({ ...order, payments: [order] });
  // @ts-expect-error 42: spoil is a function
  await tpp.fetch('/v1/accounts', { spoil: { Signature: 'none' } });
  // @ts-expect-error 43: an unsigned request has nothing to spoil
  await bank.fetch('/v1/accounts', { spoil: () => undefined });
  // @ts-expect-error 44: no status of a payment
  if ((await tpp.status(payment)).transactionStatus === 'SETTLED') return;
  // @ts-expect-error 45: no code of a refusal
  if ((await (await tpp.fetch('/v1/accounts')).json()).tppMessages?.[0]?.code === 'WRONG') return;
  // @ts-expect-error 46: no member of an account
  void (await (await tpp.consent({ psu: '13039319955' })).accounts())[0]?.balance;
  // @ts-expect-error 47: no option of a cancellation
  await tpp.cancel(payment, { signdBy: '13039319955' });
  // @ts-expect-error 48: a promise of a paymentId
  await tpp.status(tpp.pay(order));
  // @ts-expect-error 49: of a cancellation too
  await tpp.cancel(payment, { signedBy: [13_039_319_955] });
  // @ts-expect-error 50: a person who signs is named by a number
  await tpp.pay({ ...order, signedBy: [psu] });
  // @ts-expect-error 51: an amount is a text, as numbers are not exact
  await bank.topUp(order.from, 250);
  // @ts-expect-error 52: money for an account
  await bank.topUp('250.00');
  // @ts-expect-error 53: nothing of the bank has this name
  void (await bank.info()).accounts;
  const reader = await tpp.consent({ psu: '13039319955' });
  // @ts-expect-error 54: no option of a reader
  await reader.balances(order.from, { unatended: true });
  // @ts-expect-error 55: a switch is on or off
  await reader.transactions(order.from, { unattended: 'yes' });
  // @ts-expect-error 56: a transaction has an id
  await reader.transaction(order.from);
  // @ts-expect-error 57: a TPP has its name in an object
  bank.tpp('shop');
  // @ts-expect-error 58: what tpp.consent returned, with its await
  await psu.revoke(tpp.consent({ psu: '13039319955' }));
  // @ts-expect-error 59: a KID is a text, as it may begin with 0
  await tpp.pay({ ...order, kid: 2345676 });
  // @ts-expect-error 60: a standing order carries no KID
  await tpp.pay({ ...order, on: '2027-04-15', every: 'Monthly', kid: '2345676' });
  // @ts-expect-error 61: each item of a bulk payment has its own
  await tpp.pay({ from: order.from, kid: '2345676', payments: [order] });
  void Signature;
}

export async function rightUses(createBank: typeof CreateBank): Promise<FaultCode | undefined> {
  await using bank = await createBank({ now: new Date('2027-03-24T12:00:00Z'), quirks: ['signature-401'] });
  const orders: readonly PaymentOrder[] = [
    order,
    { ...order, on: '2027-03-25', signedBy: [], more: { creditorName: 'Company 123' } },
    { ...order, on: '2027-04-15', every: 'Monthly', until: '2027-12-31', dayOfExecution: 31 },
    { ...order, on: '2027-04-15', every: 'MonthlyVariable', monthsOfExecution: [3, 6] },
    { ...order, product: 'cross-border-credit-transfers', currency: 'SEK', allowDuplicate: true },
    { from: order.from, payments: [{ to: order.to, amount: '1.00', more: { creditorName: 'Company 123' } }] },
    { ...order, kid: '2345676' },
    { from: order.from, payments: [{ to: order.to, amount: '1.00', kid: '2345676' }] },
  ];
  const [payment = ''] = await Promise.all(orders.map((each) => bank.tpp({ roles: ['PSP_PI'] }).pay(each)));
  await bank.clock.advance(new Date('2027-03-25T12:00:00Z'));
  await bank.clock.advance('P3D');
  await bank.clock.advance({ to: '2027-04-01' });
  await bank.clock.advance({ until: { paymentId: payment, status: 'RJCT' } });
  await bank.psu('13039319955').fail(await bank.tpp().authorise(payment), 'SCA_EXPIRED');
  await bank.tpp().cancel(payment);
  const persons: readonly SignedBy[] = ['13039319955', ['13039319955'], []];
  for (const signedBy of persons) await bank.tpp().cancel(await bank.tpp().pay({ ...order, signedBy }), { signedBy });
  const { available }: AccountState = await bank.topUp(order.from, '250.00');
  const { psus, quirks }: BankInfo = await bank.info();
  if (quirks.some(({ name, on }) => name === 'signature-401' && on))
    await bank.topUp(psus[0]?.accounts[0]?.bban ?? '', available.amount);
  const headers = await bank.tpp().sign('/v1/accounts', { headers: { 'psu-id': null } });
  headers.Signature = headers.Signature.toUpperCase();
  await bank.fetch('/v1/accounts', { headers });
  const reader = await bank.tpp().consent({ psu: '13039319955', accounts: [order.from] });
  const [balance] = await reader.balances(order.from, { unattended: true });
  const { booked } = await reader.transactions(order.from, { from: '2027-03-01', unattended: false });
  const { entryDetails = [] } = await reader.transaction(order.from, booked[0]?.transactionId ?? '');
  await bank.psu('13039319955').revoke(reader);
  const { transactionStatus, tppMessages = [] } = await bank.tpp().status(payment);
  const told: readonly string[] = [transactionStatus, ...tppMessages.map(({ text }) => text)];
  const answer = await bank.tpp().fetch('/v1/accounts', { spoil: (signed) => (signed.Date = told[0] ?? '') });
  const { accounts } = await answer.json<{ accounts: readonly ReadAccount[] }>();
  headers['psu-id'] = accounts[0]?._links.balances.href ?? '';
  const plain: Response = answer;
  await plain.text();
  const { entries, otherEntries } = await bank.payments(payment);
  const amounts: readonly string[] = [...entries, ...otherEntries].map(({ amount }) => amount.amount);
  return balance?.balanceType === 'expected' && amounts.length > entryDetails.length ? 'SCA_EXPIRED' : undefined;
}
