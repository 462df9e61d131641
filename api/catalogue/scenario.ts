import * as Type from 'typebox';
import { choice, closed, listOf, optional, type Static, titled } from '../bodies/schema.ts';

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

const json = Type.Unsafe<Json>({});
const text = (description: string, ...examples: readonly string[]): Type.TString =>
  Type.String({ description, minLength: 1, examples });
const member = 'the path of a member of the answer, such as accounts.0.name; accounts.length is the number of items';
const members = (description: string): Type.TRecord<string, typeof json> =>
  Type.Record(Type.String(), json, { description });
const texts = (description: string): Type.TRecord<string, Type.TString> =>
  Type.Record(Type.String(), Type.String(), { description });

const kept = closed(
  {
    at: text(member, 'paymentId'),
    match: optional(text('a regular expression; the story keeps its first group', 'psu-id=([^&]+)')),
  },
  { expected: 'an object with at, the path of a member of the answer', examples: [{ at: 'paymentId' }] },
);

const step = closed(
  {
    says: text('what happens, for the reader', 'The PSU signs.'),
    rule: optional(text('the number of the rule in docs/spec/rules.md that decides the answer', 'S4')),
    method: choice('an HTTP method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: Type.String({
      description: 'a path below the address of the bank, with its query',
      pattern: '^/',
      examples: ['/sandbox/as/shop/v1/accounts'],
    }),
    headers: optional(texts('an object of header values by name')),
    body: optional(json),
    expect: closed(
      {
        status: Type.Integer({ description: 'the HTTP status', minimum: 100, maximum: 599, examples: [201] }),
        members: optional(members('an object of values by the path of a member')),
        matches: optional(texts('an object of regular expressions by the path of a member')),
        absent: optional(listOf(Type.String(), 'a list of paths that the answer must lack')),
      },
      { expected: 'an object with the status of the answer', examples: [{ status: 200 }] },
    ),
    why: optional(text('what the bank did, and why', 'The fifth attempt is the last one.')),
    shows: optional(listOf(Type.String(), 'a list of paths of members')),
    keep: optional(Type.Record(Type.String(), kept, { description: 'an object of values to keep, by name' })),
  },
  {
    expected: 'a step: an object with says, method, path and expect',
    examples: [{ says: 'The clock.', method: 'GET', path: '/sandbox/clock', expect: { status: 200 } }],
  },
);

/** What scenarios are about, in the order of their list. */
export const topics = [
  'Payments',
  'Banking days',
  'Funds',
  'Signatures',
  'Accounts and consents',
  'Payments abroad',
  'Quirks of banks',
  'Refusals',
  'The TPP',
] as const;

/**
 * A story of public calls to a bank of its own, with the expected answers. A scenario is data: a program in any
 * language can play it. docs/scenarios.md explains the members.
 */
export const scenarioSchema = titled(
  'Scenario',
  'A story of public calls to a bank of its own, with the expected answers.',
  {
    expected: 'an object with name, title, about, bank, steps and ends',
  },
).closed({
  name: Type.String({
    description: 'a name of small letters, digits and hyphens',
    pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    maxLength: 40,
    examples: ['my-story'],
  }),
  title: text('what happens, as one sentence without its full stop', 'A payment on a holiday'),
  topic: optional(choice('what it is about, in a list of scenarios', topics)),
  about: text('why it matters to a TPP', 'The bank is closed at Easter.'),
  source: optional(text('where the expected dates come from', 'https://www.norges-bank.no')),
  showsQuirks: optional(listOf(Type.String(), 'a list of the quirks that it shows, each on at its bank')),
  tells: optional(listOf(Type.String(), 'a list of sections of docs/spec/interface.md, by their anchors')),
  bank: closed(
    {
      now: text('the bank time of its bank', '2027-03-24T12:00:00+01:00'),
      mode: optional(choice('the mode of the clock', ['frozen', 'running'])),
      fixtures: optional(text('the known state', 'known-state')),
      quirks: optional(listOf(Type.String(), 'a list of quirks, with a value where one is needed: reissued-ids=P7D')),
      profile: optional(text('the id of a profile', 'bien-sparebank')),
    },
    { expected: 'an object with now', examples: [{ now: '2027-03-24T12:00:00+01:00' }] },
  ),
  steps: listOf(step, 'a list of steps', { minItems: 1 }),
  ends: text('how the story ends', 'The payment was made.'),
});

/** `{name}` in a text, path, header or body stands for a value that an earlier step kept. */
export type Scenario = Static<typeof scenarioSchema>;
export type Step = Scenario['steps'][number];
export type Kept = NonNullable<Step['keep']>[string];

/** Maximum number of simultaneous starts of one scenario. */
const maxRivals = 8;

/** The banks of a server, for the player of a scenario. */
export interface BanksOfServer {
  names(): Promise<readonly string[]>;
  /** Makes a bank with a body of `POST /sandbox/banks`. Rejects if the server refuses. */
  make(body: object): Promise<void>;
}

/** The body of `POST /sandbox/banks` for a scenario, including defaults. */
export function bankOf({ bank }: Scenario): Scenario['bank'] {
  return { mode: 'frozen', fixtures: 'known-state', quirks: [], ...bank };
}

/** Makes the bank of a scenario, under the first free name of CALLED-1, CALLED-2, ... Returns the name. */
export async function makeBank(scenario: Scenario, called: string, banks: BanksOfServer): Promise<string> {
  const make = async (name: string): Promise<string> => {
    await banks.make({ name, ...bankOf(scenario) });
    return name;
  };
  const taken = new Set(await banks.names());
  let number = 1;
  while (taken.has(`${called}-${number}`)) number += 1;
  for (const last = number + maxRivals; number < last; number += 1) {
    // Another player may make the same bank now.
    const made = await make(`${called}-${number}`).catch(() => null);
    if (made !== null) return made;
  }
  return make(`${called}-${number}`);
}
