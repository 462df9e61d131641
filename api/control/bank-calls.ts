import * as Type from 'typebox';
import type { AnswerValue } from '../bodies/written.ts';
import { withExample } from '../bodies/examples.ts';
import { bankSettingMembers, profileMembers } from '../start/setting-schemas.ts';
import { clockMode, closed, fixtures, fixturesName, instant, meaning, text } from '../bodies/schema.ts';
import { profileChoice } from './profile.ts';
import { quirkChoice } from './quirks.ts';
import { answeredInstant, count, listAnswer, orNull, quirkText } from './answers.ts';

/* The calls of `/sandbox/banks`, which only the control plane at the root has. */

const name = text('the name of the bank', 'ci-1');

export const bankMembers = {
  name,
  interface: text('where its interface is', 'http://127.0.0.1:8080/banks/ci-1/v1'),
  control: text('where its control plane is', 'http://127.0.0.1:8080/banks/ci-1/sandbox'),
  fixtures: withExample(fixturesName, 'known-state'),
  quirks: Type.Array(quirkText, { description: 'the quirks that it starts with', examples: [[]] }),
};

export const bankList = listAnswer(
  'banks',
  'Banks',
  closed(
    {
      ...bankMembers,
      clock: orNull(
        closed({ now: answeredInstant('what its clock shows'), mode: clockMode }, { title: 'BankGlance' }),
        'null: its ledger cannot be read',
      ),
      bytes: orNull(count('the size of its ledger'), 'null: nobody has used it yet, or its ledger cannot be read'),
      origin: closed(
        {
          now: orNull(answeredInstant('where its clock began'), 'null: not known'),
          mode: clockMode,
          profile: orNull(text('the id of its profile', 'my-bank'), 'null: it follows the document'),
        },
        { title: 'BankOrigin', description: 'what it was made with, beside fixtures and quirks' },
      ),
      used: orNull(answeredInstant('the last request to it, by the wall clock'), 'null: the bank at the root'),
    },
    { title: 'HostedBank' },
  ),
);

const token = text('the token of the bank, which is answered here alone', {
  pattern: '^sbt_[\\w-]{43}$',
  examples: [`sbt_${'0123456789'.repeat(4)}abc`],
});

export const madeBank = closed(
  {
    ...bankMembers,
    clock: closed({ now: answeredInstant('where its clock starts'), mode: clockMode }),
    token: Type.Optional(token),
  },
  { title: 'MadeBank', description: 'A new bank. It has a token where the server has a control token.' },
);

/** `GET /sandbox/host`. */
const hostLoad = closed(
  {
    disk: closed(
      {
        free: count('bytes that the disk of the ledgers has left'),
        size: count('bytes of that disk'),
        isLow: Type.Boolean({ description: 'true: less than a twentieth is left' }),
      },
      { title: 'HostDisk' },
    ),
    banks: Type.Array(
      closed(
        {
          name,
          requests: count('requests that were counted to it since the start'),
          refusals: count('requests of the bank that it answered with 4xx or 5xx'),
          tooMany: count('requests of the bank that its rate refused with 429; `requests` leaves them out'),
          strangers: count('requests of strangers that named it'),
          strangersTooMany: count('requests of strangers that a limit refused with 429'),
          clients: count('addresses that its requests came from, up to 100'),
          bytes: orNull(count('the size of its ledger'), 'null: it is in memory and not open, or cannot be read'),
          journal: count('requests in its journal; 0 while the bank is closed'),
          waiting: count('pieces of long work that wait in its queue'),
          longestWait: count('the longest wait in its queue since the start, in milliseconds'),
          used: orNull(answeredInstant('the last request to it, by the wall clock'), 'null: the bank at the root'),
        },
        { title: 'BankLoad' },
      ),
      { description: 'the banks, the one with the most requests first' },
    ),
    damaged: Type.Array(
      closed({ name, reason: text('what is wrong', 'team-a.json cannot be read') }, { title: 'DamagedBank' }),
      { description: 'the banks that cannot be opened: they answer 503' },
    ),
  },
  { title: 'HostLoad', description: 'What each bank of the server asks of it.' },
);

/** What each bank asks of the server, and the room on the disk (docs/spec/control-plane.md H Host). */
export type HostLoad = AnswerValue<typeof hostLoad>;

const { id, name: nameOfBank, group, quality } = profileMembers;

export const platformList = listAnswer(
  'banks',
  'Platform',
  closed(
    {
      id,
      name: nameOfBank,
      group,
      registerNumbers: Type.Array(text('a register number', '1720'), {
        description: 'a list of the first four digits of its account numbers; empty: nobody has published them',
      }),
      portalHost: orNull(text('the host of its developer portal', 'psd2.bank.example'), 'null: nobody has seen it'),
      quality,
      address: text('where the bank is', 'http://127.0.0.1:8080/banks/my-bank'),
    },
    { title: 'BankOfPlatform' },
  ),
);

const settings = {
  fixtures: Type.Optional(fixtures),
  now: Type.Optional(meaning('Where its clock starts.', instant)),
  mode: Type.Optional(clockMode),
  quirks: Type.Optional(quirkChoice),
  profile: Type.Optional(profileChoice),
  ...bankSettingMembers,
};

/** Body of `POST /sandbox/banks`. */
export const bankBody = closed(
  { name: text('a name for the bank', { minLength: 1, maxLength: 255 }), ...settings },
  {
    title: 'Bank',
    description: 'A further bank in this process, below /banks/{name}.',
    expected: 'an object with the name of the bank',
    examples: [{ name: 'ci-1', now: '2027-03-30', mode: 'frozen' }],
  },
);

/** Body of `PUT /sandbox/banks/{name}`. */
export const bankSettings = closed(settings, {
  title: 'BankSettings',
  description: 'The settings of a bank; those of the server where they are left out.',
  expected: 'an object with settings of a bank',
  examples: [{ now: '2027-03-30', mode: 'frozen' }],
});

const tooMany = 'There are a thousand banks.';

/** The calls of `/sandbox/banks`, which the room of hosting carries out. */
export const bankCalls = {
  'POST /banks': {
    summary: 'Create a bank in this process',
    answer: madeBank,
    refusals: { 409: 'There is a bank of this name.', 429: tooMany },
    body: bankBody,
  },
  'PUT /banks/:name': {
    summary: 'Create a bank unless it is there',
    answer: madeBank,
    creates: true,
    refusals: { 409: 'The bank was made with other settings.', 429: tooMany },
    body: bankSettings,
  },
  'GET /banks': { summary: 'List the banks of this process', answer: bankList },
  'GET /host': { summary: 'Show what each bank asks of the server, and the room on its disk', answer: hostLoad },
  'DELETE /banks/:name': {
    summary: 'Remove a bank',
    answer: closed({ removed: name }, { title: 'BankRemoved' }),
    refusals: { 409: 'It is the bank at the root, or its clock is being moved.' },
  },
  'POST /banks/:name/token': {
    summary: 'Issue a token of a bank in place of the one before',
    answer: closed({ name, token }, { title: 'TokenIssued' }),
  },
  'DELETE /banks/:name/token': {
    summary: 'Revoke the token of a bank',
    answer: closed({ revoked: name }, { title: 'TokenRevoked' }),
  },
} as const;
