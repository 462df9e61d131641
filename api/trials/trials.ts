import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import type { FaultEffect } from '../pipeline/fault-effect.ts';
import { always, polls } from '../quirks/hearing.ts';
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
import type { Hearing, SeenCall, Trial } from './trial.ts';

/** How long a late answer takes, unless `--late` says otherwise: less than the 5 s after which most runners end a test. */
export const usualLate = 'PT3S';

const changed: Hearing = { by: 'reads an answer that it changes', in: 'changed' };
const byClients: Hearing = { by: 'calls the bank by its own client', in: isOfClient };

/** Every trial, in the order of docs/gauntlet.md. `late`: how long a late answer takes. */
export async function allTrials(late = usualLate): Promise<readonly Trial[]> {
  const profiles = await listedProfiles();
  const quirks = (await allQuirks()).map((quirk) => trialOfQuirk(quirk, profiles));
  const banks = profiles.filter((profile) => isBank(profile) && isOfPlatform(profile)).map(trialOfBank);
  return [...quirks, ...wire(late), ...tolerance, ...times, ...statusTrials, ...banks];
}

function trialOfQuirk(quirk: WholeQuirk, profiles: readonly Profile[]): Trial {
  const { name, does, rule, lines = {}, value, tried: own = value?.usual ?? true, heard = changed } = quirk;
  const entries = Object.entries(lines);
  const [number, line] = entries.find(([, each]) => each.value === own) ?? entries[0] ?? [null, null];
  return {
    name,
    kind: 'quirk',
    sentence: line?.what ?? `${does}.`,
    mistake: line?.mistake ?? '',
    banks: profiles.filter((profile) => isBank(profile) && hasLine(profile, name, line)).map(({ id }) => id),
    rule,
    docs: number === null ? `docs/gauntlet.md#${name}` : `docs/habits.md#${number.toLowerCase()}`,
    heard,
    does: { quirk: name, value: own },
  };
}

/** Whether the bank has the quirk, or a known fact tells of its line. */
function hasLine({ id, quirks, facts }: Profile, name: Quirk, line: QuirkLine | null): boolean {
  if (quirks[name] !== undefined && quirks[name] !== false) return true;
  const { facts: keys = [], profiles = [id] } = line?.seen ?? {};
  return profiles.includes(id) && facts.some(({ key, quality }) => keys.includes(key) && quality !== 'assumed');
}

function trialOfBank({ id, name }: Profile): Trial {
  const sentence = `The bank is ${name}, with all that is known of it.`;
  const docs = `docs/banks.md#${id}`;
  const does = { profile: id };
  return { name: id, kind: 'profile', sentence, mistake: '', banks: [id], rule: 'Q8', docs, heard: always, does };
}

/** A trial that follows from the table below alone. */
function plain(
  kind: Trial['kind'],
  heard: Hearing,
  [name, sentence, mistake, does]: readonly [string, string, string, Trial['does']],
  rule: string | null = null,
): Trial {
  return { name, kind, sentence, mistake, banks: [], rule, docs: `docs/gauntlet.md#${name}`, heard, does };
}

/** The wire: each strikes the first call of each operation of a bank that the client makes. */
function wire(late: string): Trial[] {
  const rows: readonly (readonly [string, string, string, FaultEffect])[] = [
    [
      'late',
      'A call is answered late: after 3 s, or as `--late` says. The next late answer comes 5 s after it at the earliest, to another operation.',
      'The client gives up too early, and pays again with a new X-Request-ID.',
      { delay: late },
    ],
    [
      'too-many-requests',
      'A gateway refuses the first call of each operation with 429 and `Retry-After: 1`; the bank has done nothing.',
      'The client takes the page for JSON, or gives up instead of sending the same call again a second later.',
      { status: 429, when: 'before' },
    ],
    [
      'gateway',
      'A gateway answers the first call of each operation with 503 in HTML; the bank has done nothing.',
      'The client parses every answer as JSON, and fails at the page of the gateway.',
      { status: 503, when: 'before' },
    ],
    [
      'cut',
      'The first answer of each operation ends in its middle; the bank has carried the call out.',
      'The client takes half an answer for a refusal, and pays again with a new X-Request-ID.',
      { cut: true, when: 'after' },
    ],
    [
      'closed',
      'The connection closes without an answer to the first call of each operation; the bank has carried the call out.',
      'The client sends the call again with a new X-Request-ID, and pays twice.',
      { close: true, when: 'after' },
    ],
  ];
  return rows.map(([name, sentence, mistake, fault]) => {
    return plain('wire', byClients, [name, sentence, mistake, { fault }], fault.delay === undefined ? 'E6c' : 'E6e');
  });
}

/** Answered well: an armed fault strikes no call that the bank refuses. */
function isOfClient({ isOfHarness, operation, status }: SeenCall): boolean {
  return !isOfHarness && operation !== '' && status !== null && status < 300;
}

const tolerance: readonly Trial[] = [
  plain('tolerance', changed, [
    'unknown-member',
    'Each object of an answer has one member that the document does not have.',
    'The client refuses members that it does not know. Ignore them.',
    { show: unknownMember },
  ]),
  plain('tolerance', changed, [
    'member-order',
    'The members of each object come in the opposite order.',
    'The client reads members by their places, or compares answers as texts.',
    { show: otherOrder },
  ]),
  plain('tolerance', changed, [
    'long-texts',
    'Each name and text of account information is as long as the document allows.',
    'A column is too short for the text, or a page cuts it.',
    { show: longTexts },
  ]),
  plain('tolerance', changed, [
    'unknown-code',
    'A transaction has a `bankTransactionCode` that came with a later release of ISO 20022.',
    'The client has a closed list of codes, and fails at another one.',
    { show: unknownCode },
  ]),
  plain('tolerance', changed, [
    'one-more-link',
    '`_links` has one link more than the document.',
    'The client takes the first or the only link in place of the one that it needs.',
    { show: oneMoreLink },
  ]),
  plain('tolerance', changed, [
    'charset',
    'The content type is `application/json;charset=UTF-8`: another spelling of the same.',
    'The client compares the whole header as a text.',
    { show: otherCharset },
  ]),
  plain('tolerance', byClients, [
    'header-case',
    'The names of the headers are in capitals.',
    'The client finds headers by their exact spelling. HTTP/1.1 names have no case.',
    { headers: 'in capitals' },
  ]),
];

const openNow: Hearing = { by: 'leaves now to the bank', in: 'now' };

const times: readonly Trial[] = (
  [
    [
      'before-easter',
      '2027-03-24T12:00:00+01:00',
      'It is the Wednesday before Easter: the bank is closed for five days.',
    ],
    ['new-years-eve', '2027-12-31T12:00:00+01:00', 'It is 31 December.'],
    ['leap-day', '2028-02-29T12:00:00+01:00', 'It is 29 February.'],
    ['summer-time', '2027-03-28T01:59:30+01:00', 'It is the night in which the hour from 02:00 to 03:00 is left out.'],
    ['winter-time', '2027-10-31T02:30:00+02:00', 'It is the night that has the hour from 02:00 to 03:00 twice.'],
    ['before-midnight', '2027-04-14T23:59:30+02:00', 'It is half a minute before midnight.'],
  ] as const
).map(([name, now, sentence]) => {
  const mistake = 'The client reckons with days of 24 hours, with banking days only, or with the day of its own clock.';
  return plain('time', openNow, [name, sentence, mistake, { now }]);
});

const begins: Hearing = {
  by: 'has a PSU answer an SCA',
  in: ({ call, isOfHarness }) => call.startsWith('POST /sandbox/sca/') && !isOfHarness,
};

const statusTrials: readonly Trial[] = [
  ...(
    [
      ['sca-cancelled', 'cancel', 'The PSU cancels the first SCA.', 'A2'],
      ['sca-failed', 'fail', 'The first SCA fails.', 'A2'],
      ['sca-expired', 'expire', 'The first SCA runs out before the PSU comes.', 'A4b'],
    ] as const
  ).map(([name, sca, sentence, rule]) => {
    const mistake = 'The client takes every redirect for a success, or cannot begin another authorisation.';
    return plain('status', begins, [name, sentence, mistake, { sca }], rule);
  }),
  plain(
    'status',
    { by: 'reads a signed answer by its own client', in: (call) => call.isSigned && isOfClient(call) },
    [
      'wrong-digest',
      'The `Digest` of the first answer of each operation belongs to another body, where the bank signs its answers.',
      'The client does not verify what the bank signs.',
      { fault: { badSignature: 'digest' } },
    ],
    'G14',
  ),
  plain(
    'status',
    polls,
    [
      'late-status',
      'A poll shows the status of a payment as it was before; the next poll shows it as it is.',
      'The client polls the status once, and takes the first answer for the last.',
      { show: onePollLate },
    ],
    'Q21',
  ),
];
