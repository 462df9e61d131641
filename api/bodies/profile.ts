import * as Type from 'typebox';
import type { Members, RuleFault } from './rule.ts';
import { choice, closed, text } from './schema.ts';

const line = (description: string, example: string): Type.TString =>
  text(description, { minLength: 1, maxLength: 1_000, examples: [example] });

/** A text of this form, or null. */
const orNull = (
  make: typeof line | typeof day,
  description: string,
  example: string,
): Type.TUnion<[Type.TString, Type.TNull]> =>
  Type.Union([make(description, example), Type.Null()], { description, expected: `${description}, or null` });

/** A day as far as it is known. */
const day = (description: string, example: string): Type.TString =>
  text(description, { pattern: '^\\d{4}(-\\d{2}(-\\d{2})?)?$', examples: [example] });

/** How a fact is known. */
export const factQualities = ['published by the bank', 'observed by a client', 'inferred', 'assumed'] as const;

/** A fact has a source, unless it is assumed: then nobody has published it (rules.md Q8). */
function sourced({ source, quality }: Members): readonly RuleFault[] {
  if (quality === 'assumed' && source !== null)
    return [{ member: 'source', text: 'A fact with a source is not assumed. Send null, or another quality.' }];
  if (quality !== 'assumed' && source === null)
    return [{ member: 'source', text: 'The fact has no source. Send one, or the quality assumed.' }];
  return [];
}

export const profileFact = closed(
  {
    key: line('what the fact is about', 'transactionIdLength'),
    value: Type.Unknown({ description: 'what is known: any JSON value', examples: [69] }),
    source: orNull(line, 'where it stands', 'https://bank.example/developer'),
    sourceDate: orNull(day, 'the day of the source', '2025-02-07'),
    seen: orNull(day, 'the day on which the source was read', '2026-11-22'),
    quality: choice('how it is known', factQualities),
    applied: Type.Boolean({ description: 'whether a setting or a quirk of the profile follows from it' }),
  },
  { title: 'Fact', description: 'One fact about a bank.', rules: [sourced] },
);

const dayTimes = Type.Array(text('a time of day in Oslo', '05:30'), {
  description: 'a list of times of a banking day, Oslo time',
  minItems: 1,
  maxItems: 100,
});

/** A list for all customers, or one for each type (rules.md T4b). */
export const settlementTimes = Type.Union(
  [
    dayTimes,
    closed(
      { private: Type.Optional(dayTimes), corporate: Type.Optional(dayTimes) },
      { title: 'TimesByCustomer', description: 'The runs for private and for corporate customers.' },
    ),
  ],
  { description: 'the runs of a banking day: a list, or {private, corporate} with a list for each' },
);

/** Times by what they are for (rules.md T4d, T4e). */
function timeTable(description: string, example: Readonly<Record<string, string>>) {
  return Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    description,
    additionalProperties: { type: 'string', description: 'a time of day in Oslo' },
    maxProperties: 100,
    examples: [example],
  });
}

export const cutOffs = timeTable('cut-offs by PRODUCT or PRODUCT:CURRENCY', { 'sepa:EUR': '14:30' });
export const earlyClose = timeTable('cut-offs of days that close early, by DAY or DAY:PRODUCT', {
  'before-holiday:foreign': '09:00',
});
export const fxFixings = Type.Array(text('a time of day in Oslo', '10:00'), {
  description: 'a list of the times at which exchange rates are fixed',
  maxItems: 100,
});

/** The members of a profile: of its file, of an object over HTTP, and of `GET /sandbox/profile`. */
export const profileMembers = {
  id: text('the id of the profile: small letters, digits and hyphens', {
    pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
    examples: ['my-bank'],
  }),
  name: line('the name of the bank', 'My Bank'),
  group: line('the group of banks that it belongs to', 'other'),
  quality: choice('how much is known of the bank', ['rich', 'partial', 'name only']),
  settings: closed(
    {
      settlementTimes: Type.Optional(settlementTimes),
      cutOffs: Type.Optional(cutOffs),
      earlyClose: Type.Optional(earlyClose),
      fxFixings: Type.Optional(fxFixings),
    },
    {
      title: 'ProfileSettings',
      description: 'The settings that differ from the defaults.',
      expected: 'an object with settings',
    },
  ),
  quirks: Type.Unsafe<Readonly<Record<string, boolean | string>>>({
    type: 'object',
    description: 'quirks by name, each with true or its value',
    additionalProperties: { type: ['boolean', 'string'], description: 'true, or the value of the quirk' },
    maxProperties: 100,
    examples: [{ 'reissued-ids': 'P7D' }],
  }),
  facts: Type.Array(profileFact, { description: 'a list of the facts that are known of the bank', maxItems: 500 }),
  unknown: Type.Array(line('what nobody has published', 'the times of its runs'), {
    description: 'a list of what is not known of the bank',
    maxItems: 500,
  }),
};

/** A file of fixtures/profiles: one bank of the platform (rules.md Q8). */
export const profileFile = closed(
  {
    $schema: Type.Optional(text('the address of this schema, for editors', { maxLength: 1_000 })),
    ...profileMembers,
  },
  {
    title: 'Profile',
    description: 'A bank of the platform: its settings, its quirks, and what is known of it.',
    examples: [
      {
        id: 'my-bank',
        name: 'My Bank',
        group: 'other',
        quality: 'partial',
        settings: {},
        quirks: { 'reissued-ids': 'P7D' },
        facts: [
          {
            key: 'reissued-ids',
            value: 'P7D',
            source: null,
            sourceDate: null,
            seen: null,
            quality: 'assumed',
            applied: true,
          },
        ],
        unknown: ['the times of its runs'],
      },
    ],
  },
);
