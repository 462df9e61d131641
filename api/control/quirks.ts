import * as Type from 'typebox';
import {
  isQuirk,
  quirkItem,
  type Quirk,
  type QuirkChoice,
  quirkNames,
  type Quirks,
  quirks as table,
  quirksJson,
} from '../../engine/bank/rules/quirk.ts';
import { switchQuirks } from '../../engine/bank/bank-context.ts';
import { clip } from '../../engine/values/text.ts';
import { optional, titled } from '../bodies/schema.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { chooseQuirks } from '../start/setting-forms.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { sentenceOf } from './name-or-object.ts';

/** Quirks by name: true, the text of a value, or false. `chosenQuirks` checks names and values. */
const quirksByName = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'quirks by name, each with true, its value, or false',
  expected: 'an object with quirks by name, each with true, its value, or false',
  additionalProperties: { description: 'true, the value of the quirk, or false' },
  maxProperties: 100,
  examples: [{ 'reissued-ids': 'P7D', 'plain-json': true, order: false }],
});

/** Quirks of a new bank: a list of names, or an object. */
export const quirkChoice = Type.Unsafe<readonly string[] | Readonly<Record<string, unknown>>>({
  type: ['array', 'object'],
  description: 'quirks: a list of names, or an object by name, each with true, its value, or false',
  expected: 'a list of quirks, or an object with quirks by name',
  items: { type: 'string', description: 'the name of a quirk', maxLength: 255 },
  additionalProperties: { description: 'true, the value of the quirk, or false' },
  maxItems: 100,
  maxProperties: 100,
  examples: [{ 'reissued-ids': 'P7D', 'plain-json': true }],
});

/** `PUT /sandbox/quirks`. */
export const quirksBody = titled('QuirkChoice', 'The quirks to switch on or off; the others stay as they are.', {
  examples: [{ quirks: { order: false } }],
}).closed({ quirks: quirksByName });

const quirkValue = Type.Unsafe<true | string>({ type: ['boolean', 'string'], description: 'true, or its value' });

const quirksAnswer = titled('QuirksOn', 'The quirks that are on.').closed({
  quirks: Type.Object(Object.fromEntries(quirkNames.map((name) => [name, optional(quirkValue)])), {
    additionalProperties: false,
    description: 'the quirks that are on, by name',
    examples: [{}],
  }),
});

/** `/sandbox/quirks`: the quirks that are on, and their switches (rules.md Q1). */
export const quirkEndpoints = [
  controlEndpoint('GET /quirks', {
    summary: 'The quirks that are on',
    answer: quirksAnswer,
    handle: ({ bank }) => Promise.resolve({ quirks: quirksJson(bank.quirks) }),
  }),
  controlEndpoint('PUT /quirks', {
    summary: 'Switch quirks on and off',
    answer: quirksAnswer,
    body: quirksBody,
    handle: async (call) => {
      const { quirks } = call.readBody();
      return { quirks: quirksJson(await switchQuirks(call.bank, (on) => chosenQuirks(on, quirks))) };
    },
  }),
] as const;

/** Switches quirks from those that are on. Problem 400 for the first wrong or contradictory one, with what there is. */
export function chosenQuirks(on: Quirks, choice: readonly string[] | Readonly<Record<string, unknown>>): Quirks {
  const isList = Array.isArray(choice);
  const wanted: QuirkChoice = isList ? choice.map((item: string) => quirkItem(item)) : Object.entries(choice);
  const chosen = chooseQuirks(on, wanted);
  if (!('problem' in chosen)) return chosen;
  const { name, problem } = chosen;
  const path = isList ? 'quirks' : `quirks.${clip(name)}`;
  throw refusedAt(path, sentenceAbout(name, problem), isQuirk(name) ? allowedFor(name) : quirkNames);
}

/** The name of a quirk stays as it is written, at the beginning of a sentence too. */
function sentenceAbout(name: string, problem: string): string {
  return problem.startsWith(name) ? `${problem}.` : sentenceOf(problem);
}

/** The values that a quirk takes. */
function allowedFor(name: Quirk): readonly unknown[] {
  const { value } = table[name];
  return value === undefined ? [true, false] : [value.form, false];
}
