import * as Type from 'typebox';
import { withExample } from '../bodies/examples.ts';
import { bankSettingMembers } from '../start/setting-schemas.ts';
import { closed, listOf, meaning, optional, shortText, text, titled } from '../bodies/schema.ts';
import { clockMode, fixtures, fixturesName, instant } from '../bodies/values.ts';
import { profileChoice } from './profile.ts';
import { quirkChoice } from './quirks.ts';
import { advanceMembers, clockIsBusy } from './answers/clock-and-runs.ts';
import { answeredInstant, count, listAnswer, orNull } from './answers/forms.ts';
import { quirkText } from './answers/names.ts';
import { exactlyOne } from './clock/clock.ts';
import { textOfChoice } from '../../engine/bank/rules/quirk.ts';

/* The calls of `/sandbox/banks`, which only the control plane at the root has. */

const name = text('the name of the bank', 'ci-1');

export const bankMembers = {
  name,
  interface: text('where its interface is', 'http://127.0.0.1:7263/banks/ci-1/v1'),
  control: text('where its control plane is', 'http://127.0.0.1:7263/banks/ci-1/sandbox'),
  fixtures: withExample(fixturesName, 'known-state'),
  quirks: listOf(quirkText, 'the quirks that it starts with', { examples: [[]] }),
};

export const bankList = listAnswer(
  'banks',
  'Banks',
  titled('HostedBank').closed({
    ...bankMembers,
    clock: orNull(
      titled('BankGlance').closed({ now: answeredInstant('what its clock shows'), mode: clockMode }),
      'null if its ledger cannot be read',
    ),
    bytes: orNull(count('the size of its ledger'), 'null if its ledger cannot be read'),
    origin: titled('BankOrigin', 'what it was made with, beside fixtures and quirks').closed({
      now: orNull(answeredInstant('where its clock began'), 'null if it is not known'),
      mode: clockMode,
      profile: orNull(text('the id of its profile', 'my-bank'), 'null if it follows the document'),
    }),
    damage: orNull(
      text('why it takes no changes, or cannot be opened at all', 'ci-1.sqlite is empty'),
      'null if nothing is wrong',
    ),
  }),
);

export const madeBank = titled('MadeBank', 'A new bank.').closed({
  ...bankMembers,
  clock: closed({ now: answeredInstant('where its clock starts'), mode: clockMode }),
});

const settings = {
  fixtures: optional(fixtures),
  now: optional(meaning('Where its clock starts.', instant)),
  mode: optional(clockMode),
  quirks: optional(quirkChoice),
  profile: optional(profileChoice),
  ...bankSettingMembers,
};

/** Of which bank, or of which snapshot of it, a bank is a copy. */
export const copiedBank = Type.Unsafe<string | { readonly bank: string; readonly snapshot?: string }>({
  type: ['string', 'object'],
  description: 'what the bank begins as a copy of: the name of a bank of this server, or of a snapshot of one',
  expected: 'the name of a bank, or an object with bank and perhaps snapshot',
  properties: {
    bank: shortText('the name of a bank of this server', 255),
    snapshot: optional(shortText('the name of a snapshot of that bank', 255)),
  },
  required: ['bank'],
  additionalProperties: false,
  minLength: 1,
  maxLength: 255,
  examples: ['default', { bank: 'ci-1', snapshot: 'before-the-salaries' }],
});

/** Body of `POST /sandbox/banks`. */
export const bankBody = titled('Bank', 'A further bank in this process, below /banks/{name}.', {
  expected: 'an object with the name of the bank',
  examples: [{ name: 'ci-1', now: '2027-03-30', mode: 'frozen' }],
}).closed({
  name: shortText('a name for the bank', 255),
  from: optional(copiedBank),
  ...settings,
});

/** What a call with a saved bank as its body has in its query. */
const besideSaved = {
  name: optional(text('with a saved bank as the body: the name of the bank', 'ci-1')),
  now: optional(text('with a saved bank: as in JSON', '2027-03-30')),
  mode: optional(text('with a saved bank: as in JSON', 'running')),
  profile: optional(text('with a saved bank: the id of a profile', 'bien-sparebank')),
  quirks: optional(text('with a saved bank: quirks with commas between them', 'plain-json,-order')),
};

/**
 * How a call brings a saved bank: its bytes, and in the query what the body would have. Throws what `refuse` makes of
 * members that have no place there.
 */
export function besideBundle(body: object, bytes: Uint8Array, refuse: (problem: string) => Error) {
  const query = Object.fromEntries(
    Object.entries(body).map(([key, value]: [string, unknown]) => {
      if (key in besideSaved && typeof value === 'string') return [key, value];
      if (key !== 'quirks') throw refuse(`${key} does not go with a saved bank: it has its own`);
      return [key, Array.isArray(value) ? value.join() : textOfChoice(Object(value))];
    }),
  ) as Record<string, string>;
  return { query, body: { type: 'application/octet-stream', bytes } };
}

/** Body of `PUT /sandbox/banks/{name}`. */
export const bankSettings = titled(
  'BankSettings',
  'The settings of a bank; those of the server where they are left out.',
  {
    expected: 'an object with settings of a bank',
    examples: [{ now: '2027-03-30', mode: 'frozen' }],
  },
).closed(settings);

const moveOfBank = titled('MoveOfBank', 'How the clock of a bank moved.', { examples: [{ runs: [] }] }).closed({
  name,
  ...advanceMembers,
});

export const banksMoved = titled('BanksMoved', 'How the clocks moved, and what the runs on the way did.').closed({
  to: answeredInstant('what the clock of each bank shows'),
  banks: listOf(moveOfBank, 'a list of the banks that moved, in the order of their names'),
});

/** `POST /sandbox/banks/clock/advance`. */
const banksAdvance = titled(
  'BanksAdvance',
  'How far to move the clocks: to an instant, or by a duration from the clock that is furthest ahead.',
  {
    expected: 'an object with to or by, and perhaps banks',
    examples: [{ to: '2027-04-01' }, { by: 'P3D', banks: ['ci-1'] }],
    rules: [exactlyOne('to', 'by')],
  },
).closed({
  to: optional(instant),
  by: optional(text('an ISO 8601 duration in whole numbers', { format: 'bank-duration', examples: ['P3D'] })),
  banks: optional(
    listOf(shortText('the name of a bank', 255), 'the banks to move, by default all named banks', { minItems: 1 }),
  ),
});

const tooMany = 'There are a hundred banks.';

/** The calls of `/sandbox/banks`, which the room of hosting carries out. */
export const bankCalls = {
  'POST /banks': {
    summary: 'Create a bank in this process',
    answer: madeBank,
    refusals: { 404: 'There is no bank or snapshot in from.', 409: 'There is a bank of this name.', 429: tooMany },
    body: bankBody,
    text: 'application/octet-stream',
    limit: 32 * 1024 * 1024,
    query: besideSaved,
  },
  'PUT /banks/:name': {
    summary: 'Create a bank unless it is there',
    answer: madeBank,
    creates: true,
    refusals: { 409: 'The bank was made with other settings.', 429: tooMany },
    body: bankSettings,
  },
  'GET /banks': { summary: 'List the banks of this process', answer: bankList },
  'POST /banks/clock/advance': {
    summary: 'Move the clocks of the named banks to one instant',
    answer: banksMoved,
    refusals: {
      404: 'There is no bank of one of these names.',
      409: `${clockIsBusy} Or the clock of a bank is past the instant: the answer names the bank, and no clock moves.`,
    },
    body: banksAdvance,
  },
  'DELETE /banks/:name': {
    summary: 'Remove a bank',
    answer: titled('BankRemoved').closed({ removed: name }),
    refusals: { 409: 'It is the bank at the root, or its clock is being moved.' },
  },
} as const;
