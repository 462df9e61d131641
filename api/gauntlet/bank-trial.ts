import type { Request, RequestHandler, Response, Router } from 'express';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import type { Bank } from '../../engine/open-bank.ts';
import type { BankEvent } from '../../engine/bank/outlet.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { returnPayment } from '../../engine/payments/order-return.ts';
import { inspectAccounts } from '../../engine/sandbox-data/inspect-accounts.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { isBbanMod11 } from '../../engine/values/account-number.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { type Instant, osloDate } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { type ArmedFaults, maxArmed } from '../pipeline/armed-faults.ts';
import { delayMs } from '../pipeline/fault-effect.ts';
import type { Call, Endpoint } from '../pipeline/endpoint.ts';
import { factsOf, logNotesOf } from '../pipeline/request-log.ts';
import { type AskedRequest, shapeAnswer, shapingOf, type ShownAnswer } from '../pipeline/shaping.ts';
import { harnessHeader, runningTest, type TrialSettings } from './own-trial.ts';
import type { Change, Trial } from './trial.ts';
import { isFurtherPage, operationWord, settles } from './trials.ts';

/** Maximum length of an answer in a recording, in characters. */
const maxAnswer = 1024 * 1024;

/**
 * When the next answer of this process may be late, by the monotonic clock, in ms: 5 s after the last one, so that a
 * suite with many payments does not hang.
 */
let nextLate = -Infinity;

/** Where a PSU answers an SCA. */
const scaPaths = ['/sandbox/sca/:scaId', '/sca/:scaId'];

const listOperation = 'GET /v1/accounts/{accountId}/transactions';

/**
 * An open bank under a gauntlet: applies the trials to its calls, and records them (docs/spec/control-plane.md GA1,
 * GA2).
 */
export class BankTrial {
  readonly #settings: TrialSettings;
  readonly #bank: Bank;
  readonly #faults: ArmedFaults;
  /** What the trials change. `memory`: what each has shown. */
  readonly #changes: readonly (Change & { readonly memory: Map<string, unknown> })[];
  /** The answers on which a trial acted in a way that their bodies do not show. */
  readonly #did = new WeakSet<Response>();
  /** How many calls of an operation the bank has carried out, or a fault has struck. */
  readonly #counts = new Map<string, number>();
  /** When the transactions of an account were first read, and when entries of the trial came last. */
  readonly #read = new Map<string, { readonly at: Instant; last: Instant | null }>();
  #isScaAnswered = false;
  #isReturned = false;
  /** Settles when each payment that was tried is known to come back or not. */
  #returning = Promise.resolve();

  constructor(settings: TrialSettings, bank: Bank, faults: ArmedFaults) {
    const { trials } = settings.own;
    this.#settings = settings;
    this.#bank = bank;
    this.#faults = faults;
    this.#changes = trials.map(({ does }) => ({ ...does, memory: new Map() }));
    bank.trial.isShortAtFirst = this.#one('isShortAtFirst') === true;
    const failed = (): void => undefined;
    bank.listen({ kinds: new Set(['payment', 'lived', 'reset']), hear: (event) => this.#follow(event), failed });
  }

  /** What the trials change of this kind. */
  #one<Member extends keyof Change>(member: Member): Change[Member] | undefined {
    return this.#changes.find((change) => change[member] !== undefined)?.[member];
  }

  /** Puts the trials before the routes of a bank. `paths`: where its interface is. */
  precede(router: Router, paths: readonly string[]): void {
    router.use([...paths], this.#note);
    router.post(scaPaths, this.#note, this.#answerSca);
  }

  /** Records a request when it has ended. */
  readonly #note: RequestHandler = (request, response, next) => {
    const { test } = runningTest();
    response.once('close', () => {
      const { answer, operation } = logNotesOf(response);
      this.#settings.record({
        test,
        call: `${request.method} ${request.originalUrl}`,
        operation: operation ?? '',
        status: response.headersSent ? response.statusCode : null,
        code: factsOf(response).code ?? null,
        type: String(response.getHeader('content-type') ?? ''),
        answer: (answer ?? '').slice(0, maxAnswer),
        isSigned: response.hasHeader('signature'),
        isOfHarness: isOfHarness(request),
        did: this.#did.has(response),
      });
    });
    next();
  };

  /** Answers the first SCA of a bank as the trial says, whatever the PSU wanted. */
  readonly #answerSca: RequestHandler = async (request, response, next) => {
    const sca = this.#one('sca');
    if (sca === undefined || isOfHarness(request) || this.#isScaAnswered) return next();
    this.#isScaAnswered = true;
    const redirect = redirectAddress(await finishSca(this.#bank, String(request.params['scaId']), sca));
    this.#did.add(response);
    if (request.path.startsWith('/sandbox')) response.json({ redirect });
    else response.redirect(303, redirect);
  };

  /** Shapes an answer as the trials have it, after the quirks of the bank; without a trial it is heard. */
  shape(response: Response): void {
    const inner = shapingOf(response);
    if (this.#one('capitals') === true) this.#capitals(response);
    shapeAnswer(response, {
      quirks: inner?.quirks ?? noQuirks,
      read: async (asked, from) => {
        const read = (await inner?.read(asked, from)) ?? asked;
        if (this.#one('checksNumbers') === true) await this.#checkNumbers(read.body);
        if (asked.operation === listOperation) await this.#addEntries(read);
        for (const change of this.#changes) this.#arm(change, asked.operation, response);
        return read;
      },
      show: async (answer, call) => {
        if (this.#settings.own.hears) await this.#hear(answer, call);
        const usual = (await inner?.show?.(answer, call)) ?? answer;
        const path = call?.sentTo.path ?? '';
        let shown = usual;
        for (const { show, memory } of this.#changes) shown = show?.(shown, path, memory) ?? shown;
        if (differs(shown, usual)) this.#settings.own.record({ applied: true });
        return shown;
      },
    });
  }

  /** Has the headers that the bank sets from now on go out in capitals. */
  #capitals(response: Response): void {
    const set = response.setHeader.bind(response);
    response.setHeader = (name, value) => set(name.toUpperCase(), value);
    this.#did.add(response);
  }

  /** Arms the fault of a trial for this call, if it is one that it strikes. */
  #arm({ fault, strikes, at }: Change, operation: string, response: Response): void {
    const { req: request } = response;
    const isOther = at !== undefined && at !== operationWord(operation);
    if (fault === undefined || strikes === undefined || isOther || isOfHarness(request)) return;
    if (strikes.isPage === true && !isFurtherPage(request.originalUrl)) return;
    if (this.#faults.list().length >= maxArmed) return;
    const lateMs = delayMs(fault.delay ?? '');
    if (lateMs !== null && systemClock.monotonic() < nextLate) return;
    const count = this.#counts.get(operation) ?? 0;
    this.#counts.set(operation, count + 1);
    const isStruck = count >= strikes.from && count < strikes.until;
    if (isStruck && lateMs !== null) nextLate = systemClock.monotonic() + lateMs + 5_000;
    const order = { ...fault, method: request.method as Endpoint['method'], path: `/v1${request.path}`, times: 1 };
    const id = isStruck ? this.#faults.arm(order).id : null;
    response.prependOnceListener('close', () => {
      if (id !== null) this.#faults.drop(id);
      if (id !== null && factsOf(response).fault?.id === id) this.#did.add(response);
      // The bank has refused the call: it does not count.
      else if (isStruck || response.statusCode >= 300)
        this.#counts.set(operation, (this.#counts.get(operation) ?? 1) - 1);
    });
  }

  /** Refuses a number with a wrong check digit that the bank does not hold (docs/spec/control-plane.md GA9). */
  async #checkNumbers(body: unknown): Promise<void> {
    const found = (JSON.stringify(body) ?? '').matchAll(/"(?:bban":"|iban":"NO\d\d)(\d{11})"/g);
    const wrong = [...found].map(([, number = '']) => number).filter((number) => !isBbanMod11(number));
    if (wrong.length === 0) return;
    const held = new Set((await inspectAccounts(this.#bank)).map(({ account }) => account.bban));
    const unknown = wrong.find((number) => !held.has(number));
    if (unknown === undefined) return;
    this.#settings.own.record({ applied: true });
    const text = `The check digit of account ${unknown} is wrong (mod-11).`;
    throw new Refusal({ code: 'FORMAT_ERROR', path: 'bban', text });
  }

  /** Books the entries of the trial on an account whose transactions are read. */
  async #addEntries({ params: { accountId = '' } }: AskedRequest): Promise<void> {
    const entries = this.#one('entries');
    const now = this.#bank.now();
    const first = this.#read.get(accountId) ?? { at: now, last: null };
    this.#read.set(accountId, first);
    if (this.#settings.own.hears && now > first.at) this.#heard(({ does }) => does.entries?.isLate === true);
    const isTime = entries?.isLate === true ? now > first.at && now !== first.last : first.last === null;
    if (entries === undefined || !isTime) return;
    first.last = now;
    const day = addDays(osloDate(first.at), -2);
    const details = { remittanceInformationUnstructured: 'Renter' };
    const shared = { currency: 'NOK', bookingDate: day, valueDate: day, details } as const;
    const wanted = entries.amounts.map((amount) => ({ amount, ...shared }));
    // An account in another currency gets none.
    const added = await addTransactions(this.#bank, accountId, wanted).catch(() => null);
    if (added !== null) this.#settings.own.record({ applied: true });
  }

  /** Has the first payment that has left the bank come back. One that cannot leaves the turn to the next. */
  #follow(event: BankEvent): void {
    const { hears, record } = this.#settings.own;
    // What happens once in a bank happens again after a reset: each test of a suite that resets its bank meets it.
    if (event.kind === 'reset') {
      for (const kept of [this.#read, this.#counts, ...this.#changes.map(({ memory }) => memory)]) kept.clear();
      [this.#isScaAnswered, this.#isReturned] = [false, false];
    }
    if (event.kind === 'lived' && this.#isReturned && event.event.startsWith('returned')) record({ applied: true });
    if (event.kind !== 'payment') return;
    if (event.status === 'ACCP' && this.#bank.trial.isShortAtFirst) record({ applied: true });
    if (event.status !== 'ACSC') return;
    if (hears) this.#heard(({ heard }) => heard === settles);
    if (this.#one('returns') === true) this.#returning = this.#returning.then(() => this.#return(event.paymentId));
  }

  async #return(paymentId: string): Promise<void> {
    const order = { reason: 'AC04', item: null, occurrence: null, bankingDays: null, on: null } as const;
    if (this.#isReturned) return;
    this.#isReturned = (await returnPayment(this.#bank, paymentId, order).catch(() => null)) !== null;
    if (this.#isReturned) this.#heard(({ heard }) => heard === settles);
  }

  /** Records the trials that this answer would hear. */
  async #hear(answer: ShownAnswer, call: Call | null): Promise<void> {
    const { all, heard } = this.#settings.own;
    for (const trial of all) {
      if (!heard.has(trial.name) && (await this.#isChanged(trial.does, answer, call)))
        this.#heard((other) => other === trial);
    }
  }

  #heard(is: (trial: Trial) => boolean): void {
    const { all, heard, record } = this.#settings.own;
    for (const { name } of all.filter(is)) {
      if (!heard.has(name)) record({ heard: name });
      heard.add(name);
    }
  }

  /** Whether a client would read another answer. */
  async #isChanged({ show, quirk }: Change, answer: ShownAnswer, call: Call | null): Promise<boolean> {
    // Each answer is looked at alone.
    if (show !== undefined) return differs(show(answer, '', new Map()), answer);
    // A test that sets the quirk itself keeps it.
    if (quirk === undefined || this.#bank.quirks.has(quirk.name)) return false;
    const context = { bank: this.#bank, quirks: quirk.alone, call };
    if (quirk.met !== undefined) return quirk.met(answer, context);
    return quirk.show !== undefined && answer.body !== undefined && differs(await quirk.show(answer, context), answer);
  }
}

function isOfHarness({ headers }: Request): boolean {
  return headers[harnessHeader] !== undefined;
}

function differs(shown: ShownAnswer, answer: ShownAnswer): boolean {
  return shown !== answer && answerText(shown) !== answerText(answer);
}

/** Texts of answers: one is compared with what many trials make of it. */
const texts = new WeakMap<ShownAnswer, string>();

/** The order of members counts. */
function answerText(answer: ShownAnswer): string {
  const { status, headers, body } = answer;
  const text = texts.get(answer) ?? JSON.stringify([status, headers, body]);
  texts.set(answer, text);
  return text;
}
