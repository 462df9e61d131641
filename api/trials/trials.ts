import { noQuirks, type Quirk, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import type { ScaAnswer } from '../../engine/approval/finish-sca.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import { always, type Hearing, opened, type SeenCall } from '../quirks/hearing.ts';
import { allQuirks, type WholeQuirk } from '../quirks/index.ts';
import type { QuirkLine } from '../quirks/quirk-file.ts';
import type { Profile } from '../start/config.ts';
import { isOfPlatform } from '../start/platform.ts';
import { isBank, listedProfiles } from '../start/profile.ts';
import {
  longTexts,
  oneMoreLink,
  onePollLate,
  otherCharset,
  otherOrder,
  unknownCode,
  unknownMember,
} from './tolerance.ts';
import type { Change, Trial } from './trial.ts';

/** How long a late answer takes, unless `--late` says otherwise: less than the 5 s after which most runners end a test. */
const usualLate = 'PT3S';

/** Heard by what the bank itself records. */
const recorded = (by: string): Hearing => ({ by, in: () => false });
export const changed = recorded('reads an answer that it changes');
const polls = recorded('reads the status of a payment after its SCA');
const settles = recorded('has a payment settle at another bank');
const byClients: Hearing = { by: 'calls the bank by its own client', in: isOfClient };
const verifies: Hearing = {
  by: 'reads a signed answer by its own client',
  in: (seen) => seen.isSigned && isOfClient(seen),
};
const leavesNow: Hearing = { by: 'leaves now to the bank', in: ({ call }) => call === opened.withoutNow };
const signs: Hearing = {
  by: 'has a PSU answer an SCA',
  in: (seen) => !seen.isOfHarness && / \S*\/sca\//.test(seen.call),
};

/** Answered well: an armed fault strikes no call that the bank refuses. */
function isOfClient({ isOfHarness, operation, status }: SeenCall): boolean {
  return !isOfHarness && operation.includes(' /v1/') && status !== null && status < 300;
}

/** Every trial, in the order of docs/gauntlet.md. `late`: how long a late answer takes. */
export async function allTrials(late = usualLate): Promise<readonly Trial[]> {
  const profiles = (await listedProfiles()).filter(isBank);
  return [...(await ownTrials(late, profiles)), ...profiles.filter(isOfPlatform).map(trialOfBank)];
}

/** The trials but those of banks. `profiles`: in which to look for banks that do so. Left out: none, and nothing is read. */
export async function ownTrials(late: string, profiles: readonly Profile[] = []): Promise<readonly Trial[]> {
  return [...(await allQuirks()).map((quirk) => trialOfQuirk(quirk, profiles)), ...plainTrials(late)];
}

function trialOfQuirk(whole: WholeQuirk, profiles: readonly Profile[]): Trial {
  const { name, does, rule, lines = {}, value, heard = changed } = whole;
  const entries = Object.entries(lines);
  const [number, line] = entries.find(([, each]) => each.value === value?.usual) ?? entries[0] ?? [null, null];
  return {
    name,
    kind: 'quirk',
    sentence: line?.what ?? `${does}.`,
    mistake: line?.mistake ?? '',
    banks: profiles.filter((profile) => hasLine(profile, name, line)).map(({ id }) => id),
    rule,
    docs: number === null ? `docs/gauntlet.md#${name}` : `docs/habits.md#${number.toLowerCase()}`,
    heard,
    does: { quirk: { ...whole, alone: switched(noQuirks, [[name, true]]) as Quirks } },
  };
}

/** Whether the bank has the quirk, or a known fact tells of its line. */
function hasLine({ id, quirks, facts }: Profile, name: Quirk, line: QuirkLine | null): boolean {
  if (quirks[name] !== undefined && quirks[name] !== false) return true;
  const { facts: keys = [], profiles = [id] } = line?.seen ?? {};
  return profiles.includes(id) && facts.some(({ key, quality }) => keys.includes(key) && quality !== 'assumed');
}

export function trialOfBank({ id, name }: Profile): Trial {
  const sentence = `The bank is ${name}, with all that is known of it.`;
  const docs = `docs/banks.md#${id}`;
  const does = { profile: id };
  return { name: id, kind: 'profile', sentence, mistake: '', banks: [id], rule: 'Q8', docs, heard: always, does };
}

type Row<What> = readonly [name: string, sentence: string, mistake: string, what: What];
type Show = NonNullable<Change['show']>;
type Shared = Pick<Trial, 'kind' | 'heard' | 'rule'>;

/** Trials that share what they change: `does` says how. */
function trials<What>(of: Shared, does: (what: What) => Change, ...rows: readonly Row<What>[]): Trial[] {
  return rows.map(([name, sentence, mistake, what]) => {
    return { ...of, name, sentence, mistake, banks: [], docs: `docs/gauntlet.md#${name}`, does: does(what) };
  });
}

const days = 'The client reckons with banking days, with days of 24 hours, or with its own clock.';
const redirect = 'The client takes every redirect for a success, or begins no other authorisation.';
const failure = { code: 'SCA_INVALID', text: 'The authorisation failed.' } as const;

/** The trials that no other table tells of: of the wire, tolerance, time, SCA and status. */
function plainTrials(late: string): Trial[] {
  const wire = trials<FaultEffect>(
    { kind: 'wire', heard: byClients, rule: 'E6c' },
    (fault) => ({ fault }),
    ['late', 'A call is answered late: after 3 s, or as `--late` says.', 'The client pays again.', { delay: late }],
    ['too-many-requests', 'A gateway refuses with 429.', 'The client gives up.', { status: 429, when: 'before' }],
    ['gateway', 'A gateway answers 503 in HTML.', 'The client takes it for JSON.', { status: 503, when: 'before' }],
    ['cut', 'The first answer ends in its middle.', 'The client pays again.', { cut: true, when: 'after' }],
    ['closed', 'The connection closes without an answer.', 'The client pays twice.', { close: true, when: 'after' }],
  );
  const tolerance = trials<Show>(
    { kind: 'tolerance', heard: changed, rule: null },
    (show) => ({ show }),
    ['unknown-member', 'Each object has one unknown member.', 'The client refuses unknown members.', unknownMember],
    ['member-order', 'Members come in the opposite order.', 'The client reads members by their places.', otherOrder],
    ['long-texts', 'Names and texts are as long as they may be.', 'A column is too short for them.', longTexts],
    ['unknown-code', 'A `bankTransactionCode` is new.', 'The client has a closed list of codes.', unknownCode],
    ['one-more-link', '`_links` has one link more.', 'The client takes the first or the only link.', oneMoreLink],
    ['charset', 'The charset is spelt in another way.', 'The client compares the whole content type.', otherCharset],
  );
  const headers = trials<true>({ kind: 'tolerance', heard: byClients, rule: null }, (capitals) => ({ capitals }), [
    'header-case',
    'The names of the headers are in capitals.',
    'The client finds headers by their exact spelling. HTTP/1.1 names have no case.',
    true,
  ]);
  const times = trials<string>(
    { kind: 'time', heard: leavesNow, rule: null },
    (now) => ({ now }),
    ['before-easter', 'It is the Wednesday before Easter.', days, '2027-03-24T12:00:00+01:00'],
    ['new-years-eve', 'It is 31 December.', days, '2027-12-31T12:00:00+01:00'],
    ['leap-day', 'It is 29 February.', days, '2028-02-29T12:00:00+01:00'],
    ['summer-time', 'It is the night of 23 hours.', days, '2027-03-28T01:59:30+01:00'],
    ['winter-time', 'It is the night of 25 hours.', days, '2027-10-31T02:30:00+02:00'],
    ['before-midnight', 'It is half a minute before midnight.', days, '2027-04-14T23:59:30+02:00'],
  );
  const scas = trials<ScaAnswer>(
    { kind: 'status', heard: signs, rule: 'A2' },
    (sca) => ({ sca }),
    ['sca-cancelled', 'The PSU cancels the first SCA.', redirect, { outcome: 'cancel' }],
    ['sca-failed', 'The first SCA fails.', redirect, { outcome: 'fail', fault: failure }],
    ['sca-expired', 'The first SCA runs out before the PSU comes.', redirect, { outcome: 'expire' }],
  );
  const digest = trials<FaultEffect>({ kind: 'status', heard: verifies, rule: 'G14' }, (fault) => ({ fault }), [
    'wrong-digest',
    'The `Digest` of a signed answer belongs to another body.',
    'The client does not verify what the bank signs.',
    { badSignature: 'digest' },
  ]);
  const polled = trials<Show>({ kind: 'status', heard: polls, rule: 'Q21' }, (show) => ({ show }), [
    'late-status',
    'A status comes one poll late.',
    'The client polls the status once, and takes the first answer for the last.',
    onePollLate,
  ]);
  const returned = trials<true>({ kind: 'status', heard: settles, rule: 'S12' }, (returns) => ({ returns }), [
    'returned',
    'The first payment to another bank comes back. It stays ACSC.',
    'The client takes ACSC for the end. Read the credits of the account too.',
    true,
  ]);
  return [...wire, ...tolerance, ...headers, ...times, ...scas, ...digest, ...polled, ...returned];
}
