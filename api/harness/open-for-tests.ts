import { listPsus } from '../../engine/sandbox-data/psus.ts';
import { accountState, findAccount } from './account-state.ts';
import { bankServer } from './bank-server.ts';
import { configOf } from './config-of.ts';
import { bytesOf, connectTo, headersOf, type Send, sendMembers, targetIn } from './connect.ts';
import { controlOver } from './control.ts';
import { coverageOf } from './coverage/coverage-of.ts';
import { instantGiven, membersGiven, textGiven } from './given.ts';
import { harnessClock } from './harness-clock.ts';
import { harnessPsu } from './tpp/harness-psu.ts';
import { harnessTpp } from './tpp/harness-tpp.ts';
import { consent } from './tpp/account-reader.ts';
import { authorise, cancel, pay, readPayment, readStatus, type Surroundings } from './tpp/pay.ts';
import { whoSigns } from './tpp/who-signs.ts';
import { requireTicks } from './real-immediate.ts';
import { TestCalls } from './test-calls.ts';
import type { Bank, CreateBankOptions, InspectedPayment, PaymentEntry, PaymentStory } from './types.ts';

const usualSnapshot = 'snapshot';

/** The bank that createBank returns. It uses the bank's own HTTP, so that every call passes the usual checks. */
export async function openForTests(options: CreateBankOptions): Promise<Bank> {
  const { bank, server, base, catchUp, called, breakOffUntil, close } = await bankServer(
    await configOf(options),
    options,
  );
  const overHttp = connectTo(server, base);
  const calls = new TestCalls(called, breakOffUntil);
  const send: Send = (outgoing) =>
    calls.make(`${outgoing.method} ${outgoing.target}`, async () => {
      await requireTicks();
      return overHttp(outgoing);
    });
  const control = controlOver(send);
  const psu = (customerNumber: string) => harnessPsu(control, customerNumber);
  const payments: Bank['payments'] = async (paymentId) =>
    storyOf(await control('GET', pathOf('bank.payments', paymentId)));
  const signers: Surroundings['signers'] = (account) =>
    calls.make(`the signers of ${account}`, () => whoSigns(bank, account));
  const ownTpps = new Map<string, string>();
  let closing: Promise<void> | null = null;
  const closeOnce = (): Promise<void> => (closing ??= calls.close('bank.close()').then(close));
  return {
    url: base.origin,
    clock: harnessClock(control),
    fetch: async (address, sent = {}) => {
      membersGiven('bank.fetch', sendMembers, sent);
      const [target, body] = [targetIn(base, address), bytesOf(sent)];
      const headers = headersOf(body.length > 0 ? { 'content-type': 'application/json' } : {}, sent);
      return send({ method: sent.method ?? 'GET', target, headers, body });
    },
    tpp: (wanted = {}) => {
      const tpp = harnessTpp(send, base, wanted);
      ownTpps.set(tpp.id, tpp.name);
      const around: Surroundings = { tpp, signers, psu, payments };
      // Each is one call, as there is work between its requests too.
      return {
        ...tpp,
        fetch: (address, sent) => calls.make('tpp.fetch', () => tpp.fetch(address, sent)),
        pay: (order) => calls.make('tpp.pay', () => pay(around, order)),
        payment: (paymentId) => calls.make('tpp.payment', () => readPayment(around, paymentId)),
        status: (paymentId) => calls.make('tpp.status', () => readStatus(around, paymentId)),
        cancel: (paymentId, options = {}) => calls.make('tpp.cancel', () => cancel(around, paymentId, options)),
        authorise: (paymentId) => calls.make('tpp.authorise', () => authorise(around, paymentId)),
        consent: (order) => calls.make('tpp.consent', () => consent({ tpp, psu, psus: () => listPsus(bank) }, order)),
      };
    },
    psu,
    payments,
    reject: async (paymentId, rejection) => {
      membersGiven('bank.reject', ['reason', 'item', 'occurrence'], rejection);
      return storyOf(await control('POST', `${pathOf('bank.reject', paymentId)}/reject`, rejection));
    },
    account: (number) =>
      calls.make(`account ${String(number)}`, async () => {
        await catchUp();
        return accountState(bank, number);
      }),
    topUp: (number, amount) =>
      calls.make('bank.topUp', async () => {
        textGiven('bank.topUp', 'an amount such as 250.00', amount);
        const account = textGiven('bank.topUp', 'a BBAN or IBAN', number);
        const { currency } = (await findAccount(bank, account)).account;
        await control('POST', `/accounts/${encodeURIComponent(account)}/top-up`, { amount: { amount, currency } });
        return accountState(bank, account);
      }),
    info: () => control('GET', '/info'),
    forecast: async (to) => {
      const until = instantGiven('bank.forecast', 'a date, an instant or a duration such as P30D', to);
      return control('GET', `/forecast?to=${encodeURIComponent(until)}`);
    },
    coverage: (wanted = {}) => coverageOf(control, ownTpps, wanted),
    snapshot: async (name = usualSnapshot) => {
      await control('POST', '/snapshots', { name: snapshotGiven('bank.snapshot', name) });
      return name;
    },
    restore: async (name = usualSnapshot) => {
      const wanted = snapshotGiven('bank.restore', name);
      await calls.end('bank.restore()');
      await control('POST', `/snapshots/${encodeURIComponent(wanted)}/restore`);
    },
    reset: async () => {
      await calls.end('bank.reset()');
      await control('POST', '/reset');
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** The control plane has the entries of both legs in one list. */
function storyOf(answer: InspectedPayment): PaymentStory {
  const ofLeg = (wanted: PaymentEntry['leg']) => answer.entries.filter(({ leg }) => leg === wanted);
  return { ...answer, entries: ofLeg('debtor'), otherEntries: ofLeg('other') };
}

/** The path of a payment. */
function pathOf(call: string, paymentId: string): string {
  return `/payments/${encodeURIComponent(textGiven(call, 'a paymentId', paymentId))}`;
}

function snapshotGiven(call: string, name: string): string {
  return textGiven(call, 'the name of a snapshot', name);
}
