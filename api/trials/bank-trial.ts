import type { Request, RequestHandler, Response, Router } from 'express';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import type { Bank } from '../../engine/bank.ts';
import type { Happening } from '../../engine/bank/outlet.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { returnPayment } from '../../engine/payments/return-payment.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { type ArmedFaults, maxArmed } from '../pipeline/armed-faults.ts';
import type { Call, Endpoint } from '../pipeline/endpoint.ts';
import { delayMs } from '../pipeline/fault-effect.ts';
import { factsOf, notesOf } from '../pipeline/request-log.ts';
import { shapeAnswer, shapingOf, type ShownAnswer } from '../pipeline/shaping.ts';
import { harnessHeader, runningTest, type TrialSettings } from './own-trial.ts';
import type { Change, Trial } from './trial.ts';

/** Between two late answers of a bank: a test that waited for two would be ended by most runners, whatever its client does. */
const betweenLateMs = 5_000;

/** Maximum length of an answer in a recording, in characters. */
const maxAnswer = 1024 * 1024;

/** Where a PSU answers an SCA. */
const scaPaths = ['/sandbox/sca/:scaId', '/sca/:scaId'];

/** An open bank under a gauntlet: applies the trial to its calls, and records them (docs/spec/control-plane.md GA1, GA2). */
export class BankTrial {
  readonly #settings: TrialSettings;
  readonly #bank: Bank;
  readonly #faults: ArmedFaults;
  readonly #change: Change;
  /** The answers on which the trial acted in a way that their bodies do not show. */
  readonly #did = new WeakSet<Response>();
  /** The operations that a fault of the trial strikes, or has struck. */
  readonly #struck = new Set<string>();
  #lateUntil = -Infinity;
  #isScaAnswered = false;
  #isReturned = false;
  /** Settles when each payment that was tried is known to come back or not. */
  #returning = Promise.resolve();
  readonly #memory = new Map<string, unknown>();

  constructor(settings: TrialSettings, bank: Bank, faults: ArmedFaults) {
    this.#settings = settings;
    this.#bank = bank;
    this.#faults = faults;
    this.#change = settings.own.trial?.does ?? {};
    if (settings.own.trial !== null && this.#change.returns !== true) return;
    const failed = (): void => undefined;
    bank.listen({ kinds: new Set(['payment', 'lived']), hear: (happening) => this.#follow(happening), failed });
  }

  /** Puts the trial before the routes of a bank. `paths`: where its interface is. */
  precede(router: Router, paths: readonly string[]): void {
    router.use([...paths], this.#note);
    router.post(scaPaths, this.#note, this.#answerSca);
  }

  /** Records a request when it has ended. */
  readonly #note: RequestHandler = (request, response, next) => {
    const { test } = runningTest();
    response.once('close', () => {
      const { answer, operation } = notesOf(response);
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
    const { sca } = this.#change;
    if (sca === undefined || isOfHarness(request) || this.#isScaAnswered) {
      next();
      return;
    }
    this.#isScaAnswered = true;
    const redirect = redirectAddress(await finishSca(this.#bank, String(request.params['scaId']), sca));
    this.#did.add(response);
    if (request.path.startsWith('/sandbox')) response.json({ redirect });
    else response.redirect(303, redirect);
  };

  /** Shapes an answer as the trial has it, after the quirks of the bank; without a trial it is heard. */
  shape(response: Response): void {
    const inner = shapingOf(response);
    if (this.#change.capitals === true) this.#capitals(response);
    shapeAnswer(response, {
      quirks: inner?.quirks ?? noQuirks,
      read: async (asked, from) => {
        this.#arm(asked.operation, response);
        return (await inner?.read(asked, from)) ?? asked;
      },
      show: async (answer, call) => {
        if (this.#settings.own.trial === null) await this.#hear(answer, call);
        const usual = (await inner?.show?.(answer, call)) ?? answer;
        const shown = this.#change.show?.(usual, call?.sentTo.path ?? '', this.#memory) ?? usual;
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

  /** Arms the fault of the trial for this call, if it is the first of its operation. */
  #arm(operation: string, response: Response): void {
    const { fault } = this.#change;
    const { req: request } = response;
    if (fault === undefined || isOfHarness(request) || this.#struck.has(operation)) return;
    const now = systemClock.monotonic();
    if ((fault.delay !== undefined && now < this.#lateUntil) || this.#faults.list().length >= maxArmed) return;
    this.#lateUntil = now + (delayMs(fault.delay ?? '') ?? 0) + betweenLateMs;
    const order = { ...fault, method: request.method as Endpoint['method'], path: `/v1${request.path}`, times: 1 };
    const { id } = this.#faults.arm(order);
    this.#struck.add(operation);
    response.prependOnceListener('close', () => {
      this.#faults.drop(id);
      if (factsOf(response).fault?.id === id) this.#did.add(response);
      // The bank has refused the call: the fault is for the next one.
      else this.#struck.delete(operation);
    });
  }

  /** Has the first payment that has left the bank come back. One that cannot leaves the turn to the next. */
  #follow(happening: Happening): void {
    const { trial, all, record } = this.#settings.own;
    if (happening.kind === 'lived' && this.#isReturned && happening.event.startsWith('returned'))
      record({ applied: true });
    if (happening.kind !== 'payment' || happening.status !== 'ACSC') return;
    if (trial === null)
      this.#heard(
        all.filter(({ does }) => does.returns === true),
        'a payment that settles',
      );
    else this.#returning = this.#returning.then(() => this.#return(happening.paymentId));
  }

  async #return(paymentId: string): Promise<void> {
    const order = { reason: 'AC04', item: null, occurrence: null, bankingDays: null, on: null } as const;
    if (this.#isReturned) return;
    this.#isReturned = await returnPayment(this.#bank, paymentId, order).then(
      () => true,
      () => false,
    );
    if (this.#isReturned)
      this.#heard(
        this.#settings.own.all.filter(({ does }) => does.returns === true),
        'a return',
      );
  }

  /** Records the trials that this answer would hear. */
  async #hear(answer: ShownAnswer, call: Call | null): Promise<void> {
    const { all, heard } = this.#settings.own;
    for (const trial of all) {
      if (!heard.has(trial.name) && (await this.#changes(trial.does, answer, call)))
        this.#heard([trial], answer.operation ?? '');
    }
  }

  #heard(trials: readonly Trial[], by: string): void {
    const { heard, record } = this.#settings.own;
    for (const { name } of trials) {
      if (!heard.has(name)) record({ heard: name, by });
      heard.add(name);
    }
  }

  /** Whether a client would read another answer. */
  async #changes({ show, quirk }: Change, answer: ShownAnswer, call: Call | null): Promise<boolean> {
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
