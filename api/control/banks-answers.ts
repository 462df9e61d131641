import * as Type from 'typebox';
import { withExample } from '../bodies/example.ts';
import { profileMembers } from '../start/setting-schemas.ts';
import { closed, integer, text } from '../bodies/schema.ts';
import { clockMode, fixturesName } from '../bodies/values.ts';
import { answeredInstant, listAnswer, orNull, quirkText } from './answers.ts';

/* Answers of `/sandbox/banks`, whose endpoints only the control plane at the root has. */

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
      bytes: orNull(
        integer('the size of its ledger', { minimum: 0 }),
        'null: nobody has used it yet, or its ledger cannot be read',
      ),
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

export const tokenIssued = closed({ name, token }, { title: 'TokenIssued' });

export const tokenRevoked = closed({ revoked: name }, { title: 'TokenRevoked' });

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

export const bankRemoved = closed({ removed: name }, { title: 'BankRemoved' });
