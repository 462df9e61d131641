import { readClock } from '../../engine/bank/read-clock.ts';
import { formatInstant, parseInstant } from '../../engine/values/instant.ts';
import { quote } from '../../engine/values/text.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import { nearest } from '../faults/nearest.ts';
import { endpoints } from '../interface/index.ts';
import { type ArmedFault, isBelow } from '../pipeline/armed-faults.ts';
import { type Endpoint, operationOf } from '../pipeline/endpoint.ts';
import { contradictionIn } from '../pipeline/fault-effect.ts';
import { count, listAnswer } from './answers/forms.ts';
import { faultCode } from './answers/names.ts';
import { exampleOf } from '../bodies/examples.ts';
import { choice, integer, meaning, optional, shortText, text, titled } from '../bodies/schema.ts';
import { instant } from '../bodies/values.ts';
import { controlEndpoint, type ControlledBank } from './control-endpoint.ts';
import { oneOf } from './read-query.ts';
import { refusedAt } from '../pipeline/problem.ts';
import type { AnswerValue } from '../bodies/written.ts';
import type { Bank } from '../../engine/open-bank.ts';

/* Members of an armed fault, here and in a bundle. */

export const faultMethod = choice('the method of the calls to strike', ['GET', 'POST', 'PUT', 'DELETE']);

export const faultPath = text('the first segments of the path; * matches any one segment', {
  pattern: '^(/api-sandbox)?/v1(/([*]|[^*/]*))*$',
  maxLength: 500,
  examples: ['/v1/accounts/*/balances'],
});

export const faultTimes = integer('how many calls to strike, 1 to 1000000', { minimum: 1, maximum: 1000000 });

/** The effects of a fault besides a code (rules.md E6c). */
const actions = {
  status: optional(choice('answers as a gateway in front of the bank does, with an HTML page', [429, 503])),
  cut: optional(choice('the answer ends in its middle', [true])),
  close: optional(choice('the connection closes without an answer', [true])),
  badSignature: optional(
    choice('spoils the signature of the answer: it fits another body, another key, or an expired certificate', [
      'digest',
      'key',
      'expired',
    ]),
  ),
  delay: optional(
    text('how long the bank waits: minutes and seconds, PT60S at most; needs method or path', {
      maxLength: 20,
      examples: ['PT5S'],
    }),
  ),
  when: optional(
    choice('before the commit, so that nothing of the call remains, or after it (the default)', ['before', 'after']),
  ),
};

/** The window of a fault with a status (rules.md E6f). */
const faultWindow = {
  from: optional(meaning('With until: the bank time from which a gateway answers every call under /v1.', instant)),
  until: optional(meaning('The bank time at which the bank answers again.', instant)),
};

/** The effects of an armed fault: members of several answers and of a bundle. */
export const faultEffect = { code: optional(faultCode), ...actions, ...faultWindow };

/** A fault that has struck a call. */
export const struckFault = titled('StruckFault', 'The armed fault that struck the call.', {
  examples: [{ id: 1, close: true, when: 'after' }],
}).closed({ id: integer('the number of the fault', { minimum: 1 }), ...faultEffect });

/** `POST /sandbox/faults` (rules.md E6, E6c). */
export const armedFaultBody = titled(
  'ArmedFault',
  'The fault strikes the next matching calls of the interface. It has code, status, cut, close or badSignature, or a delay.',
  {
    expected:
      'an object with code, status, cut, close, badSignature or delay, and perhaps when, method, path and times',
    examples: [{ code: 'SERVICE_BLOCKED', method: 'GET', path: '/v1/accounts/*/balances', times: 2 }],
  },
).closed({
  code: optional(shortText('a code of the interface, to refuse the call with', 100, 'SERVICE_BLOCKED')),
  ...actions,
  ...faultWindow,
  method: optional(faultMethod),
  path: optional(faultPath),
  times: optional(faultTimes),
});

/** An armed fault. */
const armed = titled('Armed', 'An armed fault.', {
  examples: [{ ...Object(exampleOf(armedFaultBody)), remaining: 2 }],
}).closed({
  id: integer('the number of the fault, in the order of arming', { minimum: 1 }),
  ...faultEffect,
  method: armedFaultBody.properties.method,
  path: armedFaultBody.properties.path,
  times: optional(integer('how many calls it strikes; a window strikes every call', { minimum: 1 })),
  remaining: optional(count('how many calls it will still strike')),
});

/** The answer of `DELETE /sandbox/faults`. */
const faultsDisarmed = titled('Disarmed').closed({ disarmed: count('how many were armed') });

/**
 * `/sandbox/faults`: lets faults strike the next matching calls of the interface (rules.md E6, E6c). DELETE disarms
 * all.
 */
export const faults = [
  controlEndpoint('POST /faults', {
    summary: 'Refuse, delay or break the next matching calls of the interface',
    answer: armed,
    refusals: { 429: 'A hundred faults are armed.' },
    body: armedFaultBody,
    handle: async (call) => {
      const { code, method = null, path: where = null, times, ...own } = call.readBody();
      const known = code === undefined ? { when: 'after' as const } : { code: codeNamed(code, 'code') };
      const wrong = contradictionIn({ ...known, ...own, method, path: where, times });
      if (wrong !== null) throw refusedAt(wrong.path, wrong.text, wrong.allowed);
      if (own.badSignature !== undefined && !call.bank.quirks.has('signed-answers'))
        throw refusedAt('badSignature', 'The bank signs no answers. Switch on the quirk signed-answers.', []);
      requireCall(method, where);
      if (own.from !== undefined && own.until !== undefined) {
        if (own.when !== undefined)
          throw refusedAt('when', 'A window with from and until answers before a call is read: leave out when.', []);
        await requireWindow(call.bank, own.from, own.until);
      }
      await dropOver(call);
      return formatFault(call.faults.arm({ ...known, ...own, method, path: where, times: times ?? 1 }));
    },
  }),
  controlEndpoint('GET /faults', {
    summary: 'List the armed faults',
    answer: listAnswer('faults', 'ArmedFaults', armed),
    handle: async (call) => {
      await dropOver(call);
      return { faults: call.faults.list().map(formatFault) };
    },
  }),
  controlEndpoint('DELETE /faults', {
    summary: 'Disarm all faults',
    answer: faultsDisarmed,
    handle: (call) => Promise.resolve({ disarmed: call.faults.disarm() }),
  }),
] as const;

/** Disarms the windows that are over (rules.md E6f). */
async function dropOver({ bank, faults: armedFaults }: Pick<ControlledBank, 'bank' | 'faults'>): Promise<void> {
  if (armedFaults.hasWindow) armedFaults.dropOver((await readClock(bank)).now);
}

/** The code of this name. Problem 400, for `path`, if the interface has no such code. */
export function codeNamed(text: string, path: string): FaultCode {
  return oneOf(faultCodes, text, path, `There is no code ${quote(text)}.`);
}

/**
 * Leaves out a method or path that matches everything, as the request does, and of a window how many calls it strikes.
 */
function formatFault({ id, method, path: where, times, remaining, ...effect }: ArmedFault): AnswerValue<typeof armed> {
  const { status, from, until } = effect;
  if (until !== undefined) return { id, status, from, until };
  return { id, ...effect, method: method ?? undefined, path: where ?? undefined, times, remaining };
}

/** Refuses a method and a path that no call of the interface has (rules.md E6), and names the nearest path. */
function requireCall(method: ArmedFault['method'], path: string | null): void {
  if (path === null) return;
  const paths = endpoints.filter((each) => method === null || method === each.method).flatMap(pathsOf);
  if (paths.some((known) => isBelow(path, known, '*'))) return;
  const near = nearest(path, paths);
  const text = `No ${method ?? 'call'} of the interface has the path ${quote(path)}.${near === null ? '' : ` The nearest is ${near}.`}`;
  throw refusedAt('path', text, [...new Set(paths)]);
}

/** The paths of an operation as a fault takes them, one for each of its products: `/v1/accounts/*`. */
function pathsOf(endpoint: Endpoint): readonly string[] {
  const [, path = ''] = operationOf(endpoint).split(' ');
  return (endpoint.products ?? ['*']).map((product) => path.replace('{product}', product).replaceAll(/\{\w+\}/g, '*'));
}

/** Refuses a window that is over by the clock of the bank, or that ends before it begins. */
async function requireWindow(bank: Bank, from: string, until: string): Promise<void> {
  const { now } = await readClock(bank);
  const [begin, end] = [parseInstant(from) ?? now, parseInstant(until) ?? now];
  if (end <= now)
    throw refusedAt('until', `The window is over: the clock of the bank shows ${formatInstant(now)}.`, []);
  if (begin >= end) throw refusedAt('until', 'The window ends before it begins.', []);
}
