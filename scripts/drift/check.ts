import type { Guess } from '../../api/quirks/guess.ts';
import type { Quirk, Quirks } from '../../engine/bank/rules/quirk.ts';
import { words } from '../../engine/values/text.ts';
import { checkAnswer, endpointOf } from './answer-rules.ts';
import type { Asked } from './ask.ts';
import { type Difference, Findings, keyOf } from './difference.ts';
import type { Exchange } from './exchange.ts';
import { checkAccounts } from './account-rules.ts';
import { type Case, Memory } from './memory.ts';
import { checkPayment } from './payment-rules.ts';
import { idsShown } from './shape.ts';

/** An exchange, and how its answer differs from what the sandbox would have. */
export interface Checked {
  readonly exchange: Exchange;
  readonly differences: readonly Difference[];
}

/** What quirks are guessed from, by their names. */
export type Guesses = ReadonlyMap<string, Guess>;

/** Checks the answers of a recording by the rules of a bank with these quirks. Nothing is guessed: a rule holds whatever happened before. */
export function checkAll(
  exchanges: readonly Exchange[],
  { quirks, asked, guesses }: { readonly quirks: Quirks; readonly asked: Asked; readonly guesses: Guesses },
): Checked[] {
  const waivers = [...quirks.keys()].flatMap((name) => (exact.has(name) ? [] : (guesses.get(name) ?? [])));
  const ids = idsShown(quirks);
  // A recording of its own has a certificate of its own, and ids of its own.
  const memories = new Map<string, Memory>();
  let before = 0;
  const checked = exchanges.map((exchange) => {
    // A clock that goes back is another bank, or one that was reset.
    if (exchange.at < before - 1_000 || exchange.endpoint === '/sandbox/initialize') memories.clear();
    before = exchange.at;
    const memory = memories.get(exchange.tpp) ?? new Memory();
    memories.set(exchange.tpp, memory);
    if (/^\/(?:bank-offered-)?consents$/.test(exchange.endpoint ?? '') && memory.opened.size === 0)
      memory.isFresh = true;
    const [found, late] = [new Findings(), new Findings()];
    found.take(asked.get(exchange.number) ?? []);
    const one = { exchange, memory, quirks, ids, found, late };
    checkAnswer(one);
    checkRepeated(one);
    checkAccounts(one);
    checkPayment(one);
    const isWaived = (told: Difference): boolean => waivers.some(({ sign }) => sign.test(signOf(told, exchange)));
    return { exchange, own: found.all.filter((told) => !isWaived(told)), late };
  });
  return checked.map(({ exchange, own, late }) => ({ exchange, differences: withoutDoubles([...own, ...late.all]) }));
}

/** A difference as a guess of api/quirks reads it. */
export function signOf({ kind, path, why = '' }: Difference, { endpoint }: Exchange): string {
  return `${kind} ${path} ${endpoint ?? ''} ${why}`;
}

/** Quirks that the rules know in all that they do. Of the others, what may come from them is not told. */
const exact: ReadonlySet<Quirk> = new Set(
  words([
    'plain-json id-lengths fee-indicator no-status-in-details no-next-link bank-codes structured-references',
    'pending-dates pending-members status-before-approval no-cards-404 sca-query',
  ]),
);

/** A request that is sent again with its X-Request-ID gets its first answer (rules.md P9). */
function checkRepeated({ exchange, memory, found }: Case): void {
  const { method, target, headers, body, answer, status, number } = exchange;
  const id = headers.get('x-request-id') ?? '';
  if (method !== 'POST' || status >= 300 || id === '' || endpointOf(exchange) === undefined) return;
  const key = `${id} ${target} ${body} ${headers.get('psu-id') ?? ''}`;
  const text = JSON.stringify(answer);
  const first = memory.answered.get(key);
  memory.answered.set(key, { text, number });
  // Another recording in the file may count its requests from 1 again.
  const isRepeated = first !== undefined && number - first.number <= 5;
  if (isRepeated && first.text !== text) found.tell('changed', '', answer, 'the first answer');
}

/** One difference for each kind and place of an answer; a place whose status is told needs no second reason. */
function withoutDoubles(found: readonly Difference[]): Difference[] {
  const seen = new Set<string>();
  return found.filter((one) => {
    const key = one.kind === 'status' ? 'status' : `${keyOf(one)} ${JSON.stringify(one.recorded)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
