import * as Type from 'typebox';
import { withExample } from '../bodies/example.ts';
import { closed } from '../bodies/schema.ts';
import { clockMode, fixturesName } from '../bodies/values.ts';
import { answeredInstant, listAnswer, quirkName, text } from './answers.ts';

/* Answers of `/sandbox/banks`, whose endpoints only the control plane at the root has. */

const name = text('the name of the bank', 'ci-1');

const bankMembers = {
  name,
  interface: text('where its interface is', 'http://127.0.0.1:8080/banks/ci-1/v1'),
  control: text('where its control plane is', 'http://127.0.0.1:8080/banks/ci-1/sandbox'),
  fixtures: withExample(fixturesName, 'known-state'),
  quirks: Type.Array(quirkName, { description: 'the quirks that are on', examples: [[]] }),
};

export const bankList = listAnswer('banks', 'Banks', closed(bankMembers, { title: 'HostedBank' }));

export const madeBank = closed(
  { ...bankMembers, clock: closed({ now: answeredInstant('where its clock starts'), mode: clockMode }) },
  { title: 'MadeBank', description: 'A new bank.' },
);

export const bankRemoved = closed({ removed: name }, { title: 'BankRemoved' });
