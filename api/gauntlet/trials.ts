import { noQuirks, type Quirk, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import { always, type Hearing, lists, opened, type SeenCall } from '../quirks/hearing.ts';
import { allQuirks, type WholeQuirk } from '../quirks/index.ts';
import type { QuirkLine } from '../quirks/quirk-file.ts';
import type { Profile } from '../start/config.ts';
import type { BadSignature } from '../signing/answer-seal.ts';
import { isOfPlatform } from '../start/platform.ts';
import { isBank, listedProfiles } from '../start/profile.ts';
import { onePollLate, otherStatus, tolerated } from './tolerance.ts';
import type { Change, Strikes, Trial } from './trial.ts';

/**
 * How long a late answer takes, unless `--late` says otherwise: less than the 5 s after which most runners end a test.
 */
const usualLate = 'PT3S';

/** Heard by what the bank itself records. */
const recorded = (by: string): Hearing => ({ by, in: () => false });
export const changed = recorded('reads a changed answer');
const polls = recorded('reads the status of a payment after its SCA');
export const settles = recorded('has a payment settle');
const byClients: Hearing = { by: 'calls the bank by its own client', in: isOfClient };
const verifies: Hearing = { by: 'reads a signed answer itself', in: (seen) => seen.isSigned && isOfClient(seen) };
const leavesNow: Hearing = { by: 'leaves now to the bank', in: ({ call }) => call === opened.withoutNow };
const signs: Hearing = { by: 'has a PSU answer an SCA', in: (seen) => !seen.isOfHarness && /\/sca\//.test(seen.call) };

/** Answered well: an armed fault strikes no call that the bank refuses. */
function isOfClient({ isOfHarness, operation, status }: SeenCall): boolean {
  return !isOfHarness && operation.includes(' /v1/') && status !== null && status < 300;
}

/** Every trial, in the order of docs/gauntlet.md. `late`: how long a late answer takes. */
export async function allTrials(late = usualLate): Promise<readonly Trial[]> {
  const profiles = (await listedProfiles()).filter(isBank);
  return [...(await ownTrials(late, profiles)), ...profiles.filter(isOfPlatform).map(trialOfBank)];
}

/**
 * The trials but those of banks. `profiles`: in which to look for banks that do so. Left out: none, and nothing is
 * read.
 */
export async function ownTrials(late: string, profiles: readonly Profile[] = []): Promise<readonly Trial[]> {
  const quirks = (await allQuirks()).flatMap((quirk) => {
    const { value, triedToo = value?.words.filter((word) => value.read(word).ok) ?? [] } = quirk;
    const given = [null, ...triedToo.filter((one) => one !== value?.usual)];
    return given.map((one) => trialOfQuirk(quirk, one, profiles));
  });
  return [...quirks, ...plainTrials(late)];
}

/** Quirks that hide what another one does. */
const sharedSlots: Readonly<Partial<Record<Quirk, string>>> = {
  'no-transaction-ids': 'reissued-ids',
  'late-counterparty': 'counterparty',
  'status-lag': 'lag',
};

/** `given`: null for the usual value. */
function trialOfQuirk(whole: WholeQuirk, given: string | null, profiles: readonly Profile[]): Trial {
  const { name, does, rule, lines = {}, value, heard = changed } = whole;
  const entries = Object.entries(lines);
  const ofValue = entries.find(([, each]) => each.value === (given ?? value?.usual));
  const [number, line] = ofValue ?? (given === null ? entries[0] : undefined) ?? [null, null];
  const quirk = { ...whole, given, alone: switched(noQuirks, [[name, given ?? true]]) as Quirks };
  return {
    name: given === null ? name : `${name}=${given}`,
    kind: 'quirk',
    sentence: line?.what ?? `${does}${given === null ? '' : ` (${given})`}.`,
    mistake: line?.mistake ?? '',
    banks: profiles.filter((profile) => hasLine(profile, name, line)).map(({ id }) => id),
    rule,
    docs: number === null ? `docs/gauntlet.md#${name}` : `docs/habits.md#${number.toLowerCase()}`,
    heard,
    // The accounts of the known state are made up: the check is for the others.
    does: name === 'bban-mod11' ? { checksNumbers: true } : { quirk },
    slot: sharedSlots[name] ?? name,
  };
}

/**
 * The trial of a name: `closed-second@POST/payments/product+status-lag` is two together, one of them at one operation.
 * Null if there is no such trial.
 */
export function trialNamed(all: readonly Trial[], name: string): Trial | null {
  const found = name.split('+').map((part) => {
    const [own, at] = part.split('@');
    const trial = all.find((each) => each.name === own);
    return at === undefined || trial?.does.fault === undefined ? trial : atOperation(trial, at);
  });
  const [first, ...others] = found.filter((each) => each !== undefined);
  if (first === undefined || others.length + 1 < found.length) return null;
  return others.length === 0 ? first : together([first, ...others]);
}

/** Trials under which a bank is at once. */
export function together(parts: readonly Trial[]): Trial {
  const [name, sentence] = [parts.map((part) => part.name).join('+'), parts.map((part) => part.sentence).join(' ')];
  const banks = (parts[0]?.banks ?? []).filter((bank) => parts.every((part) => part.banks.includes(bank)));
  const shared = { mistake: '', rule: null, docs: 'docs/gauntlet.md#the-storm', heard: always, does: {}, slot: '' };
  return { ...shared, name, kind: 'together', sentence, banks, parts };
}

/** A trial of the wire that strikes one operation. */
export function atOperation(trial: Trial, at: string): Trial {
  const sentence = `${trial.sentence} It strikes ${at} alone.`;
  return { ...trial, name: `${trial.name}@${at}`, sentence, slot: `wire ${at}`, does: { ...trial.does, at } };
}

/** An operation as one word: `POST/payments/product`. */
export function operationWord(operation: string): string {
  return operation.replace(' /v1', '').replaceAll(/[{}]/g, '');
}

/** Whether a trial strikes each operation: it is made of trials at one. */
export function isOfWire({ kind, does: { at } }: Trial): boolean {
  return kind === 'wire' && at === undefined;
}

/**
 * The trials that a trial of the wire is made of: one for each operation that it would strike among `calls`, which are
 * ordered by time. Other trials are not made of any.
 */
export function partsOf(trial: Trial, calls: readonly SeenCall[]): readonly Trial[] {
  const { from = 0, isPage } = trial.does.strikes ?? {};
  const own = isOfWire(trial) ? calls.filter((seen) => isOfClient(seen) && (!isPage || isFurtherPage(seen.call))) : [];
  const counts = Map.groupBy(own, ({ bank, operation }) => `${operationWord(operation)} ${bank}`);
  const words = [...counts].flatMap(([key, all]) => (all.length <= from ? [] : [key.split(' ')[0] ?? '']));
  return [...new Set(words)].map((word) => atOperation(trial, word));
}

/** Whether a call reads a page of a list behind the first one. */
export function isFurtherPage(call: string): boolean {
  return /[?&](?:cursor=|offset=[1-9])/.test(call);
}

/** Whether the bank has the quirk, or a known fact tells of its line. */
function hasLine({ id, quirks, facts }: Profile, name: Quirk, line: QuirkLine | null): boolean {
  if (quirks[name] !== undefined && quirks[name] !== false) return true;
  const { facts: keys = [], profiles = [id] } = line?.seen ?? {};
  return profiles.includes(id) && facts.some(({ key, quality }) => keys.includes(key) && quality !== 'assumed');
}

export function trialOfBank({ id, name }: Profile): Trial {
  const sentence = `The bank is ${name}, with all that is known of it.`;
  const of = { kind: 'profile', heard: always, rule: 'Q8', slot: 'bank' } as const;
  return { ...trial([of, id, sentence, '', { profile: id }]), banks: [id], docs: `docs/banks.md#${id}` };
}

/** What trials of one kind share. Without a slot each is in one of its own. */
type Shared = Pick<Trial, 'kind' | 'heard' | 'rule'> & { readonly slot?: string };
type Row = readonly [of: Shared, name: string, sentence: string, mistake: string, does: Change];

function trial([of, name, sentence, mistake, does]: Row): Trial {
  return { slot: name, ...of, name, sentence, mistake, banks: [], docs: `docs/gauntlet.md#${name}`, does };
}

const wire: Shared = { kind: 'wire', heard: byClients, rule: 'E6c' };
const body: Shared = { kind: 'tolerance', heard: changed, rule: null };
const head: Shared = { kind: 'tolerance', heard: byClients, rule: null };
const time: Shared = { kind: 'time', heard: leavesNow, rule: null, slot: 'time' };
const sca: Shared = { kind: 'status', heard: signs, rule: 'A2', slot: 'sca' };
const lag: Shared = { kind: 'status', heard: polls, rule: 'Q21', slot: 'lag' };
const paid: Shared = { kind: 'status', heard: settles, rule: 'S12' };
const book: Shared = { kind: 'status', heard: lists, rule: 'D3' };
const seal: Shared = { kind: 'forged', heard: verifies, rule: 'G14' };

const days = 'The client reckons with banking days, with days of 24 hours, with days of UTC, or with its own clock.';
const redirect = 'The client takes every redirect for a success, or begins no other authorisation.';
const believes = 'The client does not verify what the bank signs.';
const closedList = 'The client has a closed list of statuses.';
const failure = { code: 'SCA_INVALID', text: 'The authorisation failed.' } as const;
/** Whole kroner of these add up to -1, and floating point makes 57.99 øre of 0.58. */
const odd = { amounts: [19_99n, 58n, -20_57n], isLate: false };
const earlier = { amounts: [33_33n], isLate: true };

const faults: readonly (readonly [name: string, sentence: string, mistake: string, fault: FaultEffect])[] = [
  ['too-many-requests', 'A gateway refuses with 429', 'The client gives up.', { status: 429, when: 'before' }],
  ['gateway', 'A gateway answers 503 in HTML', 'The client reads the page as JSON.', { status: 503, when: 'before' }],
  ['cut', 'The answer ends in its middle', 'The client pays again.', { cut: true, when: 'after' }],
  ['closed', 'The connection closes without an answer', 'The client pays twice.', { close: true, when: 'after' }],
];

const first = { from: 0, until: 1 };
const places: readonly (readonly [suffix: string, where: string, Strikes, by: string])[] = [
  ['', 'at the first call', first, byClients.by],
  ['-second', 'at the second call', { from: 1, until: 2 }, 'calls an operation twice by its own client'],
  ['-page', 'at the first further page', { ...first, isPage: true }, 'reads a further page by its own client'],
  ['-twice', 'at two calls in a row', { from: 0, until: 2 }, byClients.by],
];

const shown = tolerated.map(([name, sentence, mistake, show]): Row => [body, name, sentence, mistake, { show }]);
const polled = ['ACTC', 'ACFC', 'ACWC', 'ACWP', 'ACSP', 'ACCP', 'PDNG', 'ACCC'].map((status): Row => {
  const sentence = `A payment ${status === 'ACCC' ? 'that has settled' : 'on its way'} reads ${status} for one poll.`;
  return [lag, `status-${status.toLowerCase()}`, sentence, closedList, { show: otherStatus(status) }];
});

/** The trials of time: when a bank starts. */
const times = [
  ['before-easter', 'It is the Wednesday before Easter.', '2027-03-24T12:00:00+01:00'],
  ['new-years-eve', 'It is 31 December.', '2027-12-31T12:00:00+01:00'],
  ['leap-day', 'It is 29 February.', '2028-02-29T12:00:00+01:00'],
  ['before-summer-time', 'The next day has 23 hours.', '2027-03-27T23:30:00+01:00'],
  ['summer-time', 'It is the night of 23 hours.', '2027-03-28T01:59:30+01:00'],
  ['before-winter-time', 'The day of 25 hours has begun.', '2027-10-31T00:30:00+02:00'],
  ['winter-time', 'It is the night of 25 hours.', '2027-10-31T02:30:00+02:00'],
  ['before-midnight', 'It is half a minute before midnight.', '2027-04-14T23:59:30+02:00'],
  ['after-midnight', 'It is half past midnight, and yesterday in UTC.', '2027-04-14T00:30:00+02:00'],
] as const;

/** The trials of tolerance, time, SCA, status and money, and those that are forged. */
const plain: readonly Row[] = [
  ...shown,
  [head, 'header-case', 'Header names are in capitals.', 'The client misses them.', { capitals: true }],
  ...times.map(([name, sentence, now]): Row => [time, name, sentence, days, { now }]),
  [sca, 'sca-cancelled', 'The PSU cancels the first SCA.', redirect, { sca: { outcome: 'cancel' } }],
  [sca, 'sca-failed', 'The first SCA fails.', redirect, { sca: { outcome: 'fail', fault: failure } }],
  [sca, 'sca-expired', 'The first SCA runs out before the PSU comes.', redirect, { sca: { outcome: 'expire' } }],
  [lag, 'late-status', 'A status comes one poll late.', 'The client polls once.', { show: onePollLate }],
  ...polled,
  [paid, 'returned', 'The first payment to another bank comes back.', 'ACSC is taken for the end.', { returns: true }],
  [paid, 'short-at-first', 'The first run finds no funds.', 'ACCP is taken for a refusal.', { isShortAtFirst: true }],
  [book, 'odd-amounts', 'Three odd amounts add up to nothing.', 'The client reckons in kroner.', { entries: odd }],
  [book, 'late-entry', 'A credit has an earlier date.', 'The client reads on from its last day.', { entries: earlier }],
  [seal, 'wrong-digest', 'The `Digest` of each signed answer is wrong.', believes, forged('digest')],
  [seal, 'wrong-key', 'Each signed answer is signed with another key.', believes, forged('key')],
];

/** The trials that no other table tells of, each in the order of docs/gauntlet.md. `delay`: of a late answer. */
function plainTrials(delay: string): Trial[] {
  const struck = places.flatMap(([place, at, strikes, by]) => {
    const of = { ...wire, heard: { by, in: isOfClient } };
    return faults.map(([name, what, why, fault]): Row => [
      of,
      name + place,
      `${what}, ${at}.`,
      why,
      { fault, strikes },
    ]);
  });
  const sentence = 'A call is answered late: after 3 s, or as `--late` says.';
  const late: Row = [wire, 'late', sentence, 'The client pays again.', { fault: { delay }, strikes: first }];
  return [...struck, late, ...plain].map(trial);
}

function forged(badSignature: BadSignature): Change {
  return { fault: { badSignature }, strikes: { from: 0, until: Infinity }, isForged: true };
}
