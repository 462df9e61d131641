// The timers of the process: a test that fakes the global ones would stop the doctor.
import { clearTimeout, setTimeout, systemClock } from '../../engine/time/clock.ts';
import { Worker } from 'node:worker_threads';
import type { Answer, Question } from './doctor/search.ts';

/** Looks for the text that a TPP signed, or the body that it digested, in a thread of its own. */
export interface Doctor {
  /**
   * Asks a question. `answer` is null when nothing was found, and never rejects. `isFirst`: no other question is under way,
   * so that the answer comes soon.
   */
  ask(question: Question): { readonly answer: Promise<Answer | null>; readonly isFirst: boolean };
  /** Ends the thread if no other doctor of the process needs it. Open questions get null. */
  close(): Promise<void>;
}

/** Maximum size of the bodies that wait, in bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Maximum number of questions that wait. */
const maxWaiting = 50;
/**
 * Pause before the next search, in times of the one before it: a stream of refusals gets a part of the time, so that other requests
 * keep theirs. `stream`: of clients that do not wait; `turns`: of one that asks again as soon as it is answered.
 */
const restPerSearch = { stream: 4, turns: 1 } as const;
/** Maximum size of a body that is searched, in bytes. With a larger body the doctor searches the signing string alone. */
const maxBodyBytes = 256 * 1024;

/** The thread that all doctors of this process share. Started by the first question; it does not keep the process alive. */
class SearchThread {
  #worker: Worker | null = null;
  /** Takes the answer to the question under way. */
  #settle: ((answer: Answer | null) => void) | null = null;
  /** Bytes of the bodies that wait. */
  #bytes = 0;
  /** Number of questions under way and waiting. */
  #questions = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** The next search begins no earlier, by the monotonic clock. */
  #restsUntil = -Infinity;
  #rest: NodeJS.Timeout | undefined;

  ask(question: Question): ReturnType<Doctor['ask']> {
    const isFirst = this.#questions === 0;
    const { length } = bodyOf(question);
    if (this.#questions > maxWaiting || (this.#bytes + length > maxBytes && !isFirst))
      return { answer: Promise.resolve(null), isFirst };
    this.#bytes += length;
    this.#questions += 1;
    const answer = this.#last
      .then(() => {
        this.#bytes -= length;
        return this.#search(question);
      })
      .finally(() => (this.#questions -= 1));
    this.#last = answer;
    return { answer, isFirst };
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#forget(worker);
    await worker?.terminate();
  }

  async #search(question: Question): Promise<Answer | null> {
    if (doctors === 0) return null;
    const rest = this.#restsUntil - systemClock.monotonic();
    const answer = new Promise<Answer | null>((settle) => (this.#settle = settle));
    if (rest <= 0) this.#begin(question);
    else this.#rest = setTimeout(() => this.#begin(question), rest).unref();
    const begun = systemClock.monotonic() + Math.max(rest, 0);
    const found = await answer;
    const now = systemClock.monotonic();
    const times = this.#questions === 1 ? restPerSearch.turns : restPerSearch.stream;
    this.#restsUntil = now + times * Math.max(0, now - begun);
    return found;
  }

  #begin(question: Question): void {
    try {
      this.#started().postMessage(question);
    } catch {
      // No thread can be started: the doctor knows nothing then.
      this.#forget(this.#worker);
    }
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    // From this file and from the package's bundle alike, which lies in api/harness.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`../signing/doctor/search-thread.${extension}`, import.meta.url), {
      execArgv: [],
    });
    worker.on('message', (answer: Answer | null) => this.#settle?.(answer));
    worker.on('error', () => this.#forget(worker)).on('exit', () => this.#forget(worker));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  /** Gives the question under way null. The next one starts another thread. */
  #forget(worker: Worker | null): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    clearTimeout(this.#rest);
    this.#settle?.(null);
  }
}

const thread = new SearchThread();
/** How many are open: without one nothing is searched. */
let doctors = 0;

/** Opens a doctor; one for each server. */
export function openDoctor(): Doctor {
  doctors += 1;
  let isOpen = true;
  return {
    ask: (question) => {
      if (!isOpen) return { answer: Promise.resolve(null), isFirst: false };
      return thread.ask(bodyOf(question).length > maxBodyBytes ? withoutBody(question) : question);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      doctors -= 1;
      if (doctors === 0) await thread.stop();
    },
  };
}

function bodyOf(question: Question): Uint8Array {
  return question.kind === 'digest' ? question.body : question.request.body;
}

function withoutBody(question: Question): Question {
  const body = new Uint8Array();
  return question.kind === 'digest' ? { ...question, body } : { ...question, request: { ...question.request, body } };
}
