import { capital, quote } from '../../engine/values/text.ts';
import type { BadSignature } from '../signing/answer-seal.ts';
import type { FaultCode } from '../../engine/values/fault.ts';

/** When a fault strikes: before the commit, so that nothing of the call remains, or after it. */
export type FaultMoment = 'before' | 'after';

/**
 * The effect of an armed fault on a call (rules.md E6, E6c): one of `code`, `status`, `cut`, `close` and
 * `badSignature`, and perhaps a delay before it; or a delay alone.
 */
export interface FaultEffect {
  /** Refuses the call with this code. */
  readonly code?: FaultCode;
  /** Answers as a gateway in front of the bank does: an HTML page with this status; 429 has `Retry-After: 1`. */
  readonly status?: 429 | 503;
  /** The answer ends in its middle. */
  readonly cut?: true;
  /** The connection closes without an answer. */
  readonly close?: true;
  /** Spoils the signature of the answer: of another body, by another key, or with a certificate that has expired. */
  readonly badSignature?: BadSignature;
  /** How long the bank waits, see {@link delayMs}. */
  readonly delay?: string;
  /** The default is before the commit, for a code. */
  readonly when?: FaultMoment;
  /**
   * Of a `status`: bank times between which every call is answered so, before it is read; the end is exclusive
   * (rules.md E6f).
   */
  readonly from?: string;
  readonly until?: string;
}

/** A fault that has struck a call. */
export interface StruckFault extends FaultEffect {
  /** The number that it was armed with. */
  readonly id: number;
}

/** Longest delay, in ms. */
const maxDelayMs = 60_000;

const delays = { from: 'PT0.001S', to: 'PT60S' };

/** A wrong member of an effect, and its allowed values. */
interface Contradiction {
  /** The member at fault. */
  readonly path: string;
  readonly text: string;
  readonly allowed: unknown;
}

/** Parses an ISO 8601 duration of minutes and seconds, such as `PT1M` or `PT0.5S`, in ms, or null for another text. */
export function delayMs(text: string): number | null {
  const [whole, minutes = '0', seconds = '0'] =
    /^PT(?=\d)(?:(\d{1,4})M)?(?:(\d{1,4}(?:\.\d{1,3})?)S)?$/.exec(text) ?? [];
  return whole === undefined ? null : Math.round((Number(minutes) * 60 + Number(seconds)) * 1000);
}

const actions = ['code', 'status', 'cut', 'close', 'badSignature'] as const;

/** Finds a contradiction in a fault to arm (rules.md E6c). Null if there is none. */
export function contradictionIn(
  fault: { readonly [Member in keyof FaultEffect]?: unknown } & {
    readonly delay?: string;
    readonly method?: unknown;
    readonly path?: unknown;
    readonly times?: unknown;
  },
): Contradiction | null {
  const { delay, when } = fault;
  const [does, another] = actions.filter((action) => fault[action] !== undefined);
  if (does === undefined && delay === undefined) {
    return {
      path: 'code',
      text: `The fault does nothing. Send ${actions.join(', ')} or delay.`,
      allowed: [...actions, 'delay'],
    };
  }
  if (another !== undefined) {
    const text = `${does} and ${another} cannot be one fault. Send one of ${actions.join(', ')}.`;
    return { path: another, text, allowed: actions };
  }
  if (fault.code !== undefined && when === 'after') {
    const text =
      'A call that is refused with a code is never carried out. Send before or nothing, or status, cut or close for after.';
    return { path: 'when', text, allowed: ['before'] };
  }
  return contradictionOfWindow(fault) ?? (delay === undefined ? null : contradictionOfDelay(delay, fault));
}

/** A window closes the whole interface, as a gateway does. */
function contradictionOfWindow(fault: Parameters<typeof contradictionIn>[0]): Contradiction | null {
  if ((fault.from ?? fault.until) === undefined) return null;
  const missing = (['status', 'from', 'until'] as const).find((name) => fault[name] === undefined);
  if (missing !== undefined)
    return {
      path: missing,
      text: `A window has status, from and until: ${missing} is missing.`,
      allowed: missing === 'status' ? [429, 503] : ['status', 'from', 'until'],
    };
  const other = (['method', 'path', 'delay', 'times'] as const).find((name) => (fault[name] ?? null) !== null);
  if (other === undefined) return null;
  return {
    path: other,
    text: `A window strikes every call: leave out ${other}.`,
    allowed: ['status', 'from', 'until'],
  };
}

function contradictionOfDelay(
  delay: string,
  { method, path }: { readonly method?: unknown; readonly path?: unknown },
): Contradiction | null {
  const ms = delayMs(delay);
  if (ms === null || ms < 1 || ms > maxDelayMs) {
    const text = `${quote(delay)} is no delay. Send minutes and seconds from ${delays.from} to ${delays.to}, such as PT5S.`;
    return { path: 'delay', text, allowed: delays };
  }
  if ((method ?? null) !== null || (path ?? null) !== null) return null;
  const text = 'A delay for every call would hold up the whole bank. Name the calls with method, path or both.';
  return { path: 'delay', text, allowed: ['method', 'path'] };
}

/**
 * The effect of a fault in words, for the notes of the journal: `armed fault 3 waited PT5S and closed the connection,
 * after the commit`.
 */
export function effectText({ id, code, status, cut, close, badSignature, delay, when }: StruckFault): string {
  const effects = [
    delay !== undefined && `waited ${delay}`,
    code !== undefined && `refused the call with ${code}`,
    status !== undefined && `answered ${status} as a gateway does`,
    cut === true && 'ended the answer in its middle',
    close === true && 'closed the connection',
    badSignature !== undefined && `spoilt the signature (${badSignature})`,
  ].filter((effect) => effect !== false);
  const moment = when === undefined ? '' : `, ${when} the commit`;
  return `armed fault ${id} ${effects.join(' and ') || 'did not wait, because too many calls do'}${moment}`;
}

/** Whether the fault ended the connection before the client had the whole answer. */
export function endsConnection(fault: FaultEffect | undefined): boolean {
  return fault?.cut === true || fault?.close === true;
}

/**
 * What a fault did to a call of the bank's own pages and commands (docs/spec/control-plane.md C23): `Armed fault 3
 * closed the connection. The payment is made.` `done`: what the call did. Null if the answer was sent as it should be,
 * perhaps late.
 */
export function struckText(
  fault: StruckFault | undefined,
  done: string,
  isDone = fault?.code === undefined && fault?.when !== 'before',
): string | null {
  const { code, status, cut, close } = fault ?? {};
  if (fault === undefined || (code ?? status ?? cut ?? close) === undefined) return null;
  return `${capital(effectText(fault))}. ${isDone ? done : 'Nothing was carried out.'}`;
}
