import * as Type from 'typebox';
import type { Members, RuleFault } from '../bodies/rule.ts';
import { choice, flag, listOf, optional, text, titled } from '../bodies/schema.ts';
import {
  type BankKey,
  bankSettings,
  type JsonValues,
  type SettingKey,
  settings,
  type ShownValues,
} from './settings.ts';

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
const factQualities = ['published by the bank', 'observed by a client', 'inferred', 'assumed'] as const;

/** A fact has a source, unless it is assumed: then nobody has published it (rules.md Q8). */
function sourced({ source, quality }: Members): readonly RuleFault[] {
  if (quality === 'assumed' && source !== null)
    return [{ member: 'source', text: 'A fact with a source is not assumed. Send null, or another quality.' }];
  if (quality !== 'assumed' && source === null)
    return [{ member: 'source', text: 'The fact has no source. Send one, or the quality assumed.' }];
  return [];
}

const profileFact = titled('Fact', 'One fact about a bank.', { rules: [sourced] }).closed({
  key: line('what the fact is about', 'transactionIdLength'),
  value: Type.Unknown({ description: 'what is known: any JSON value', examples: [69] }),
  source: orNull(line, 'where it stands', 'https://bank.example/developer'),
  sourceDate: orNull(day, 'the day of the source', '2025-02-07'),
  seen: orNull(day, 'the day on which the source was read', '2026-11-22'),
  quality: choice('how it is known', factQualities),
  applied: flag('whether a setting or a quirk of the profile follows from it'),
  tells: optional(
    listOf(
      choice('a part', ['cutOff', 'run', 'booking', 'valueDate']),
      'the parts of an answer of /sandbox/when that it tells',
      {
        examples: [['valueDate']],
      },
    ),
  ),
  only: optional(
    listOf(line('a customer, a product, inside, or a year', 'corporate'), 'what it is about; left out: all', {
      examples: [['corporate']],
    }),
  ),
});

/** The settings of a bank: as a profile has them, and as a call makes a bank with them. */
export const bankSettingMembers = Object.fromEntries(
  bankSettings.map(({ key, form }) => [key, optional(Type.Unsafe(form.schema))]),
) as { [Key in BankKey]: Type.TOptional<Type.TUnsafe<JsonValues[Key]>> };

/** `settings` of a profile. */
export const profileSettings = titled('ProfileSettings', 'The settings that differ from the defaults.', {
  expected: 'an object with settings',
}).closed(bankSettingMembers);

/** A setting as `/sandbox/info` shows it. */
interface ShownSetting {
  readonly key: SettingKey;
  readonly name: string;
  json(value: unknown): unknown;
  readonly schema: object;
}

/** The settings that `/sandbox/info` shows. */
export const shownSettings = settings.flatMap<ShownSetting>(({ key, name, what, form, shown, default: usual }) => {
  if (shown === 'not') return [];
  if (shown === 'whether it is set') {
    const schema = { type: 'boolean', description: `whether ${name} is set`, examples: [false] };
    return [{ key, name: `${key}IsSet`, json: (value) => value !== null, schema }];
  }
  const read = form.read(usual);
  const examples = read.ok ? [form.json(read.value)] : [];
  const schema = { ...form.schema, description: `${name}: ${what}`, examples };
  return [{ key, name: key, json: (value) => form.json(value), schema }];
});

/** `configuration` of `GET /sandbox/info`. */
export const configuration = titled('Settings', 'The settings of this bank, but those of its clock.').closed(
  Object.fromEntries(shownSettings.map(({ name, schema }) => [name, Type.Unsafe(schema)])) as {
    [Name in keyof ShownValues]: Type.TUnsafe<ShownValues[Name]>;
  },
);

/** The members of a profile: of its file, of an object over HTTP, and of `GET /sandbox/profile`. */
export const profileMembers = {
  id: text('the id of the profile: small letters, digits and hyphens', {
    pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
    examples: ['my-bank'],
  }),
  name: line('the name of the bank', 'My Bank'),
  group: line('the group of banks that it belongs to', 'other'),
  quality: choice('how much is known of the bank', ['rich', 'partial', 'name only']),
  settings: profileSettings,
  quirks: Type.Unsafe<Readonly<Record<string, boolean | string>>>({
    type: 'object',
    description: 'quirks by name, each with true or its value',
    additionalProperties: { type: ['boolean', 'string'], description: 'true, or the value of the quirk' },
    maxProperties: 100,
    examples: [{ 'reissued-ids': 'P7D' }],
  }),
  facts: listOf(profileFact, 'a list of the facts that are known of the bank', { maxItems: 500 }),
  unknown: listOf(
    line('what nobody has published', 'the times of its runs'),
    'a list of what is not known of the bank',
    {
      maxItems: 500,
    },
  ),
};

/** A file of fixtures/profiles: one bank of the platform (rules.md Q8). */
export const profileFile = titled(
  'Profile',
  'A bank of the platform: its settings, its quirks, and what is known of it.',
  {
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
).closed({
  $schema: optional(text('the address of this schema, for editors', { maxLength: 1_000 })),
  ...profileMembers,
});
