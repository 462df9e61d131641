import { accountState } from './account-state.ts';
import { bankServer } from './bank-server.ts';
import { configOf } from './config-of.ts';
import { bytesOf, connectTo, headersOf, type Send, targetIn } from './connect.ts';
import { controlOver } from './control.ts';
import { instantGiven, textGiven } from './given.ts';
import { harnessClock } from './harness-clock.ts';
import { harnessPsu } from './tpp/harness-psu.ts';
import { harnessTpp } from './tpp/harness-tpp.ts';
import { consent } from './tpp/account-reader.ts';
import { authorise, cancel, pay, type Surroundings } from './tpp/pay.ts';
import { requireTicks } from './real-immediate.ts';
import type { Bank, CoverageOptions, CreateBankOptions, PaymentEntry, PaymentStory } from './types.ts';

const usualSnapshot = 'snapshot';

/** The bank that createBank returns. It works through the bank's own HTTP, so that every call is checked as usual. */
export async function openForTests(options: CreateBankOptions): Promise<Bank> {
  const { bank, server, base, catchUp, close } = await bankServer(configOf(options), options);
  const overHttp = connectTo(server, base);
  let closing: Promise<void> | null = null;
  const send: Send = async (outgoing) => {
    if (closing !== null)
      throw new Error(`The bank was closed, and then asked for ${outgoing.method} ${outgoing.target}.`);
    await requireTicks();
    return overHttp(outgoing);
  };
  const control = controlOver(send);
  const psu = (customerNumber: string) => harnessPsu(control, customerNumber);
  const payments: Bank['payments'] = async (paymentId) =>
    storyOf(await control('GET', pathOf('bank.payments', paymentId)));
  const closeOnce = (): Promise<void> => (closing ??= close());
  return {
    url: base.origin,
    clock: harnessClock(control),
    fetch: async (address, sent = {}) => {
      const [target, body] = [targetIn(base, address), bytesOf(sent)];
      const headers = headersOf(body.length > 0 ? { 'content-type': 'application/json' } : {}, sent);
      return send({ method: sent.method ?? 'GET', target, headers, body });
    },
    tpp: (wanted = {}) => {
      const tpp = harnessTpp(send, base, wanted);
      const around: Surroundings = { bank, tpp, psu, payments };
      return {
        ...tpp,
        pay: (order) => pay(around, order),
        cancel: (paymentId, { signedBy } = {}) => cancel(around, paymentId, signedBy),
        authorise: (paymentId) => authorise(around, paymentId),
        consent: (order) => consent(around, order),
      };
    },
    psu,
    payments,
    reject: async (paymentId, rejection) =>
      storyOf(await control('POST', `${pathOf('bank.reject', paymentId)}/reject`, rejection)),
    account: async (number) => {
      await catchUp();
      return accountState(bank, number);
    },
    forecast: async (to) => {
      const until = instantGiven('bank.forecast', 'a date, an instant or a duration such as P30D', to);
      return control('GET', `/forecast?to=${encodeURIComponent(until)}`);
    },
    coverage: (wanted = {}) => control('GET', `/coverage${queryOf(wanted)}`),
    snapshot: async (name = usualSnapshot) => {
      await control('POST', '/snapshots', { name: snapshotGiven('bank.snapshot', name) });
      return name;
    },
    restore: async (name = usualSnapshot) => {
      await control('POST', `/snapshots/${encodeURIComponent(snapshotGiven('bank.restore', name))}/restore`);
    },
    reset: async () => {
      await control('POST', '/reset');
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** The TPP by its id or as an object, and the area, as a query. */
function queryOf({ tpp, for: area }: CoverageOptions): string {
  const id = typeof tpp === 'object' ? tpp.id : tpp;
  const query = new URLSearchParams({ ...(id !== undefined && { tpp: id }), ...(area !== undefined && { for: area }) });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** A payment as the control plane has it: the entries of both legs in one list. */
type PaymentAnswer = Omit<PaymentStory, 'otherEntries'>;

function storyOf(answer: PaymentAnswer): PaymentStory {
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
