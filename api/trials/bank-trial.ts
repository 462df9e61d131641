import type { Request, RequestHandler, Response, Router } from 'express';
import { finishSca, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import type { Bank } from '../../engine/bank.ts';
import { noQuirks, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { endpoints } from '../interface/index.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import { type Call, operationOf } from '../pipeline/endpoint.ts';
import { delayMs } from '../pipeline/fault-effect.ts';
import { factsOf, notesOf } from '../pipeline/request-log.ts';
import { shapeAnswer, shapingOf, type ShownAnswer } from '../pipeline/shaping.ts';
import { Problem } from '../pipeline/problem.ts';
import { pathTable } from '../pipeline/target.ts';
import { allQuirks } from '../quirks/index.ts';
import { harnessHeader, runningTest, type TrialSettings } from './own-trial.ts';
import type { Change, SeenCall } from './trial.ts';

/** Between two late answers of a bank: a test that waited for two would be ended by most runners, whatever its client does. */
const betweenLateMs = 5_000;

/** Maximum length of an answer in a recording, in characters. */
const maxAnswer = 1024 * 1024;

const outcomes: Readonly<Record<'cancel' | 'fail' | 'expire', ScaAnswer>> = {
  cancel: { outcome: 'cancel' },
  expire: { outcome: 'expire' },
  fail: { outcome: 'fail', fault: { code: 'SCA_INVALID', text: 'The authorisation failed.' } },
};

/** An open bank under a gauntlet: applies the trial to its calls, and records them (docs/spec/control-plane.md GA1, GA2). */
export class BankTrial {
  readonly #settings: TrialSettings;
  readonly #bank: Bank;
  readonly #faults: ArmedFaults;
  readonly #change: Change | null;
  readonly #find = pathTable(
    endpoints.map(({ path }) => path),
    (path) => endpoints.filter((each) => each.path === path),
  );
  /** The answers that go out with headers in capitals. */
  readonly #did = new WeakSet<Response>();
  /** The operations whose first call the trial has struck. */
  readonly #struck = new Set<string>();
  /** The operations of which a call is under way that the trial may strike. */
  readonly #armed = new Set<string>();
  #lateAt = -Infinity;
  #scaIsAnswered = false;
  readonly #memory = new Map<string, unknown>();
  /** The quirks of the trials that change answers, each alone. */
  readonly #quirks = once(async () => {
    const quirks = await allQuirks();
    return new Map(
      quirks.map((quirk) => [quirk.name, { quirk, alone: switched(noQuirks, [[quirk.name, true]]) as Quirks }]),
    );
  });

  constructor(settings: TrialSettings, bank: Bank, faults: ArmedFaults) {
    this.#settings = settings;
    this.#bank = bank;
    this.#faults = faults;
    this.#change = settings.own.trial?.does ?? null;
  }

  /** Puts the trial before the routes of a bank. `paths`: where its interface is. */
  precede(router: Router, paths: readonly string[]): void {
    router.use([...paths], this.#follow);
    router.post(['/sandbox/sca/:scaId', '/sca/:scaId'], this.#answerSca);
  }

  /** Records a request to its end, and arms the fault of a trial of the wire for it. */
  readonly #follow: RequestHandler = (request, response, next) => {
    const { test } = runningTest();
    const isOfHarness = request.headers[harnessHeader] !== undefined;
    const operation = this.#operationOf(request);
    const armed = isOfHarness ? null : this.#arm(request, operation);
    response.once('close', () => {
      const { answer } = notesOf(response);
      const { fault, code } = factsOf(response);
      if (armed !== null) {
        this.#faults.drop(armed);
        this.#armed.delete(operation);
        if (fault?.id === armed) this.#struck.add(operation);
      }
      this.#record({
        test,
        call: `${request.method} ${request.originalUrl}`,
        operation,
        status: response.headersSent ? response.statusCode : null,
        code: code ?? null,
        type: String(response.getHeader('content-type') ?? ''),
        answer: (answer ?? '').slice(0, maxAnswer),
        isSigned: response.hasHeader('signature'),
        isOfHarness,
        did: this.#did.has(response) || (armed !== null && fault?.id === armed),
      });
    });
    next();
  };

  #record(seen: Omit<SeenCall, 'bank'>): void {
    const { own, key } = this.#settings;
    own.record({ seen: { bank: key, ...seen } });
  }

  /** The operation of a request, or an empty text if its path has none. */
  #operationOf(request: Request): string {
    try {
      const found = this.#find(request.path)?.value.find(({ method }) => method === request.method);
      return found === undefined ? '' : operationOf(found);
    } catch {
      return '';
    }
  }

  /** Arms the fault of the trial for this call. Null: it strikes another one, or none. */
  #arm({ method, path }: Request, operation: string): number | null {
    const change = this.#change;
    if (change === null || !('fault' in change) || operation === '') return null;
    if (this.#struck.has(operation) || this.#armed.has(operation)) return null;
    const { fault } = change;
    const isLate = fault.delay !== undefined;
    const rest = betweenLateMs + (delayMs(fault.delay ?? '') ?? 0);
    if (isLate && systemClock.monotonic() < this.#lateAt + rest) return null;
    try {
      if (isLate) this.#lateAt = systemClock.monotonic();
      const order = { ...fault, method: method as 'GET', path: `/v1${path}`, times: 1 };
      const { id } = this.#faults.arm(order);
      this.#armed.add(operation);
      return id;
    } catch (error) {
      // A test has armed as many faults as there can be.
      if (error instanceof Problem && error.facts.status === 429) return null;
      throw error;
    }
  }

  /** Answers the first SCA of a bank as the trial says, whatever the PSU wanted. */
  readonly #answerSca: RequestHandler = (request, response, next) => {
    const change = this.#change;
    const isOfHarness = request.headers[harnessHeader] !== undefined;
    const scaId = String(request.params['scaId']);
    const empty = { operation: '', status: null, code: null, type: '', answer: '', isSigned: false };
    const seen = { test: runningTest().test, call: `POST /sandbox/sca/${scaId}`, ...empty, isOfHarness };
    if (change === null || !('sca' in change) || isOfHarness || this.#scaIsAnswered) {
      this.#record({ ...seen, did: false });
      next();
      return;
    }
    this.#scaIsAnswered = true;
    finishSca(this.#bank, scaId, outcomes[change.sca]).then((result) => {
      this.#record({ ...seen, did: true });
      const redirect = redirectAddress(result);
      if (request.path.startsWith('/sandbox')) response.json({ redirect });
      else response.redirect(303, redirect);
    }, next);
  };

  /** Shapes an answer as the trial has it, after the quirks of the bank; without a trial it is heard. */
  shape(response: Response): void {
    const inner = shapingOf(response);
    shapeAnswer(response, {
      quirks: inner?.quirks ?? noQuirks,
      read: async (asked, from) => (await inner?.read(asked, from)) ?? asked,
      show: async (answer, call) => {
        if (this.#settings.own.trial === null) await this.#hear(answer, call);
        const shown = (await inner?.show?.(answer, call)) ?? answer;
        return this.#changed(shown, call, response);
      },
    });
  }

  #changed(answer: ShownAnswer, call: Call | null, response: Response): ShownAnswer {
    const change = this.#change;
    if (change === null || answer.body === undefined) return answer;
    if ('headers' in change) this.#capitals(response);
    if (!('show' in change)) return answer;
    const shown = change.show(answer, call?.sentTo.path ?? '', this.#memory);
    if (differs(shown, answer)) this.#settings.own.record({ applied: true });
    return shown;
  }

  /** Has the headers go out in capitals, those that are set after this too. */
  #capitals(response: Response): void {
    const write = response.writeHead.bind(response) as (...args: unknown[]) => Response;
    this.#did.add(response);
    response.writeHead = ((...args: unknown[]) => {
      for (const [name, value] of Object.entries(response.getHeaders())) {
        response.removeHeader(name);
        if (value !== undefined) response.setHeader(name.toUpperCase(), value);
      }
      return write(...args);
    }) as Response['writeHead'];
  }

  /** Records the trials that this answer would hear. */
  async #hear(answer: ShownAnswer, call: Call | null): Promise<void> {
    const { all, heard, record } = this.#settings.own;
    for (const { name, does, heard: hearing } of all) {
      if (hearing.in !== 'changed' || heard.has(name) || !(await this.#changes(does, answer, call))) continue;
      heard.add(name);
      record({ heard: name, by: answer.operation ?? '' });
    }
  }

  /** Whether a client would read another answer. */
  async #changes(change: Change, answer: ShownAnswer, call: Call | null): Promise<boolean> {
    // Each answer is looked at alone.
    if ('show' in change) return differs(change.show(answer, '', new Map()), answer);
    const found = 'quirk' in change ? (await this.#quirks()).get(change.quirk) : undefined;
    // A test that sets the quirk itself keeps it.
    if (found === undefined || this.#bank.quirks.has(found.quirk.name)) return false;
    const { met, show } = found.quirk;
    const context = { bank: this.#bank, quirks: found.alone, call };
    if (met !== undefined) return met(answer, context);
    return show !== undefined && answer.body !== undefined && differs(await show(answer, context), answer);
  }
}

function differs(shown: ShownAnswer, answer: ShownAnswer): boolean {
  return shown !== answer && answerText(shown) !== answerText(answer);
}

/** Texts of answers: an answer is compared with many. */
const texts = new WeakMap<ShownAnswer, string>();

function answerText(answer: ShownAnswer): string {
  const { status, headers, body } = answer;
  const text = texts.get(answer) ?? JSON.stringify([status, headers, body]);
  texts.set(answer, text);
  return text;
}
