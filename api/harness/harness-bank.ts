import type { Asked } from '../openapi/calls.ts';
import { type FindPayer, findAccount, readAccount, whoSigns } from './account-state.ts';
import {
  addressOf,
  bytesOf,
  headersOf,
  responseOf,
  type Send,
  sendMembers,
  targetIn,
  type Control,
  controlOver,
} from './connect.ts';
import { copies, saves } from './copy.ts';
import { type Follow, FollowedBank, follows } from './follow-clock.ts';
import { instantGiven, isDate, isPromise, membersGiven, partGiven, textGiven, wrongGiven } from './given.ts';
import type { Bundle } from '../hosting/bundle/bundle.ts';
import { trialFile } from '../start/config.ts';
import { harnessHeader } from '../gauntlet/own-trial.ts';
import { harnessPsu } from './tpp/harness-psu.ts';
import { harnessTpp, type SigningClock, testTime } from './tpp/harness-tpp.ts';
import { consent } from './tpp/account-reader.ts';
import { authorise, cancel, pay, readPayment, readStatus, type Surroundings } from './tpp/pay.ts';
import { requireTicks } from './real-immediate.ts';
import { TestCalls } from './test-calls.ts';
import type {
  Bank,
  BankClock,
  ClockSetting,
  CreateBankOptions,
  FakeTimers,
  InspectedPayment,
  PaymentEntry,
  PaymentStory,
  SendOptions,
  Tpp,
} from './types/index.ts';

const usualSnapshot = 'snapshot';

/** A bank that a test reaches over HTTP, in its process or on a server. */
export interface ReachedBank {
  /** The start of its links. */
  readonly base: URL;
  readonly overHttp: Send;
  /** Whether it has no port: only this process reaches it. */
  readonly isAlone: boolean;
  /** Hears the moves of its clock. */
  readonly follow: Follow;
  /** What its TPPs sign as the time. Left out: that of the test. */
  readonly signedAt?: SigningClock;
  /**
   * The control plane in this process, without HTTP: for reads and moves. Null if the bank is reached over HTTP alone.
   */
  readonly read: Control | null;
  /** Who pays from an account, told without HTTP. */
  readonly payer?: FindPayer;
  /** The bank as the bytes of one file. */
  bundle(): Promise<Buffer>;
  /** What a copy of it begins with. */
  copied(): Promise<Bundle>;
  /** The bank of createBank. */
  openForTests(options: CreateBankOptions): Promise<Bank>;
  /** Until this settles, no call waits for the delay of an armed fault. */
  breakOffUntil(settled: Promise<unknown>): void;
  close(): Promise<void>;
}

/** The calls of a test to its bank. They use the bank's own HTTP, so that every call passes the usual checks. */
export function harnessBank(reached: ReachedBank): Bank {
  const { base, overHttp, read, bundle, signedAt = testTime, isAlone } = reached;
  const calls = new TestCalls(reached.breakOffUntil);
  const send: Send = (outgoing) =>
    calls.make(`${outgoing.method} ${outgoing.target}`, async () => {
      await requireTicks();
      return overHttp(outgoing);
    });
  const overControl = controlOver(send, base);
  // What is refused is asked over HTTP, which tells the refusal.
  const direct: Control = (name, sent) =>
    read === null
      ? overControl(name, sent)
      : calls.make(name, () => read(name, sent)).catch(() => overControl(name, sent));
  const followed = new FollowedBank({ control: overControl, direct }, reached.follow, () => calls.idle());
  const { control } = followed;
  // What the harness asks for itself is no call of a client.
  const ofHarness = trialFile() === null ? {} : { [harnessHeader]: 'true' };
  const sendOwn: Send = (outgoing) => send({ ...outgoing, headers: { ...outgoing.headers, ...ofHarness } });
  const ownControl = controlOver(sendOwn, base);
  const ownPsu = (customerNumber: string) => harnessPsu(ownControl, customerNumber);
  const facts = read ?? control;
  const psu = (customerNumber: string) => harnessPsu(control, customerNumber);
  const payments = async (paymentId: string, ask: Control = control): Promise<PaymentStory> =>
    storyOf(await ask('GET /payments/:paymentId', paymentGiven('bank.payments', paymentId)));
  const signers: Surroundings['signers'] = (account) =>
    calls.make(`the signers of ${account}`, () => whoSigns(facts, account, reached.payer));
  const copied = (): Promise<Bundle> => calls.make('a copy', reached.copied);
  let closing: Promise<void> | null = null;
  const closeOnce = (): Promise<void> =>
    (closing ??= calls.close('bank.close()').then(followed.end).then(reached.close));
  const bank = {
    url: addressOf(base),
    clock: harnessClock(followed),
    fetch: async (address, sent = {}) => responseOf(await send(plainRequest(base, address, sent))),
    tpp: (wanted = {}) => {
      const [tpp, own] = [
        harnessTpp({ send, base, signedAt, isAlone }, wanted),
        harnessTpp({ send: sendOwn, base, signedAt, isAlone }, wanted),
      ];
      return tppAmong(calls, tpp, {
        tpp: own,
        signers,
        psu: ownPsu,
        payments: (id) => payments(id, direct),
        control: facts,
      });
    },
    psu,
    payments: (paymentId) => payments(paymentId),
    reject: async (paymentId, rejection) => {
      membersGiven('bank.reject', ['reason', 'item', 'occurrence'], rejection);
      const asked = paymentGiven('bank.reject', paymentId);
      return storyOf(await control('POST /payments/:paymentId/reject', { ...asked, body: rejection }));
    },
    account: (number) => calls.make(`account ${String(number)}`, () => readAccount(facts, number)),
    topUp: (number, amount) => calls.make('bank.topUp', () => topUp(control, facts, { number, amount })),
    info: () => control('GET /info'),
    forecast: async (to) => {
      const until = instantGiven('bank.forecast', 'a date, an instant or a duration such as P30D', to);
      return control('GET /forecast', { query: { to: until } });
    },
    picture: (ids, file) => calls.make('bank.picture', () => drawPayments(facts, ids, file)),
    ...keptStates(calls, control, bundle),
    copy: async (options = {}) => reached.openForTests({ ...options, from: bank }),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
    [copies]: copied,
    [saves]: () => calls.make('a copy', bundle),
    [follows]: (timers: FakeTimers) => calls.make('followClock', () => followed.follow(timers)),
  } as Bank;
  return bank;
}

/** Draws these payments on the days of the bank, in a file. */
async function drawPayments(facts: Control, ids: unknown, file: unknown): Promise<void> {
  const path = textGiven('bank.picture', 'the path of a file', file);
  const asked = (Array.isArray(ids) ? ids : [ids]).map((id) => paymentGiven('bank.picture', id as string));
  const [{ now }, ...stories] = await Promise.all([
    facts('GET /clock'),
    ...asked.map((each) => facts('GET /payments/:paymentId', each)),
  ]);
  const { windowOf } = await import('../settlement-line/window.ts');
  const window = windowOf(stories, now.slice(0, 10));
  const parts = await Promise.all(
    stories.map(({ paymentId }) => facts('GET /timeline', { query: { ...window, payment: paymentId } })),
  );
  const [{ lineOf, together }, { pictureOf }] = [
    await import('../settlement-line/model.ts'),
    await import('../settlement-line/draw.ts'),
  ];
  const [first, ...others] = parts;
  if (first === undefined) throw wrongGiven('bank.picture', 'at least one paymentId', ids);
  const picture = pictureOf(lineOf(together(first, others)), 'auto', true);
  const { replaceOwn } = await import('../../engine/open-bank.ts');
  replaceOwn(path, picture, (beginning) => beginning.toString('latin1', 0, 4) === '<svg');
}

/** The calls that keep a state of the bank, or bring one back. */
function keptStates(
  calls: TestCalls,
  control: Control,
  bundle: ReachedBank['bundle'],
): Pick<Bank, 'snapshot' | 'restore' | 'save' | 'reset'> {
  return {
    snapshot: async (name = usualSnapshot) => {
      await control('POST /snapshots', { body: { name: snapshotGiven('bank.snapshot', name) } });
      return name;
    },
    restore: async (name = usualSnapshot) => {
      const wanted = snapshotGiven('bank.restore', name);
      await calls.end('bank.restore()');
      await control('POST /snapshots/:name/restore', { params: { name: wanted } });
    },
    save: (file) =>
      calls.make('bank.save', async () => {
        const path = textGiven('bank.save', 'the path of a file', file);
        const { replaceOwn } = await import('../../engine/open-bank.ts');
        const { isBundle } = await import('../start/ledger-problem.ts');
        replaceOwn(path, await bundle(), isBundle, 0o600);
      }),
    reset: async () => {
      await calls.end('bank.reset()');
      await control('POST /reset');
    },
  };
}

/**
 * A TPP whose calls a test awaits. Each is one call, as there is work between its requests too. `around`: for what the
 * harness asks itself.
 */
function tppAmong(
  calls: TestCalls,
  tpp: ReturnType<typeof harnessTpp>,
  around: Surroundings & { readonly control: Control },
): Tpp {
  const { send: _, ...own } = tpp;
  return {
    ...own,
    fetch: (address, sent) => calls.make('tpp.fetch', () => tpp.fetch(address, sent)),
    pay: (order) => calls.make('tpp.pay', () => pay(around, order)),
    payment: (paymentId) => calls.make('tpp.payment', () => readPayment(around, paymentId)),
    status: (paymentId) => calls.make('tpp.status', () => readStatus(around, paymentId)),
    cancel: (paymentId, options = {}) => calls.make('tpp.cancel', () => cancel(around, paymentId, options)),
    authorise: (paymentId) => calls.make('tpp.authorise', () => authorise(around, paymentId)),
    consent: (order) => calls.make('tpp.consent', () => consent(around, order)),
  };
}

/** The control plane has the entries of both legs in one list. */
function storyOf(answer: InspectedPayment): PaymentStory {
  const ofLeg = (wanted: PaymentEntry['leg']) => answer.entries.filter(({ leg }) => leg === wanted);
  return { ...answer, entries: ofLeg('debtor'), otherEntries: ofLeg('other') };
}

function plainRequest(base: URL, address: string | URL, sent: SendOptions): Parameters<Send>[0] {
  membersGiven('bank.fetch', sendMembers, sent);
  const [target, body] = [targetIn(base, address), bytesOf(sent)];
  const headers = headersOf(body.length > 0 ? { 'content-type': 'application/json' } : {}, sent);
  return { method: sent.method ?? 'GET', target, headers, body };
}

async function topUp(
  control: Control,
  facts: Control,
  { number, amount }: { readonly number: string; readonly amount: string },
): ReturnType<Bank['topUp']> {
  textGiven('bank.topUp', "an amount as a string, such as '250.00'", amount);
  const account = textGiven('bank.topUp', 'a BBAN or IBAN', number);
  const { currency } = await findAccount(facts, account);
  const sent = { params: { number: account }, body: { amount: { amount, currency } } };
  await control('POST /accounts/:number/top-up', sent);
  return readAccount(facts, account);
}

function paymentGiven(call: string, paymentId: string): Asked {
  return { params: { paymentId: partGiven(call, 'a paymentId', paymentId) } };
}

function snapshotGiven(call: string, name: string): string {
  return partGiven(call, 'the name of a snapshot', name);
}

/** The bank's clock over its control plane. */
function harnessClock(followed: FollowedBank): BankClock {
  const { control } = followed;
  return {
    now: async () => (await control('GET /clock')).now,
    advance: async (target) => followed.advance(advanceBodyOf(target)),
    set: async (setting) => control('PUT /clock', { body: settingOf(setting) }),
  };
}

const wanted = 'a date, an instant, a duration such as P3D, or {to, by, runs, until}';

/** A text that begins with P is a duration, any other a date or an instant; the bank checks it. */
function advanceBodyOf(target: unknown): object {
  if (typeof target !== 'object' || target === null || isDate(target) || isPromise(target)) {
    const text = instantGiven('clock.advance', wanted, target);
    return text.startsWith('P') ? { by: text } : { to: text };
  }
  if ('to' in target) return { ...target, to: instantGiven('clock.advance', 'an instant in to', target.to) };
  if (!('until' in target)) return target;
  const { until } = target;
  if (typeof until !== 'object' || until === null) {
    throw wrongGiven('clock.advance', 'a {paymentId, status} in until', until);
  }
  textGiven('clock.advance', 'a paymentId in until', 'paymentId' in until ? until.paymentId : undefined);
  return target;
}

function settingOf(setting: ClockSetting): object {
  membersGiven('clock.set', ['now', 'mode', 'rate'], setting);
  const { now, ...others } = setting;
  return now === undefined ? others : { ...others, now: instantGiven('clock.set', 'an instant in now', now) };
}
