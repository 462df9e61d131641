import * as Type from 'typebox';
import type { Form } from '../../engine/values/form.ts';
import { personaForm } from '../../engine/life/rules/persona-form.ts';
import { personaRules } from '../../engine/life/rules/persona-rules.ts';
import { assert } from '../../engine/values/assert.ts';
import type { BodyRule } from './rule.ts';
import { type BodySchema, closed, optional } from './schema.ts';

/** A persona in a body or a known state: the name of a listed one, or one itself, which the caller checks. */
export const personaChoice = Type.Unsafe<string | object>({
  type: ['string', 'object'],
  description: 'a persona: the name of a listed one, or one itself, as fixtures/personas has them',
  expected: 'the name of a persona, or a persona as an object',
  additionalProperties: true,
  minLength: 1,
  maxLength: 255,
  examples: ['family'],
});

/** The schema of a form, whose objects have the rules of their titles. Throws if no object has the title of some rules. */
export function schemaOf(whole: Form, rulesByTitle: Readonly<Record<string, readonly BodyRule[]>>): Type.TSchema {
  const unbound = new Set(Object.keys(rulesByTitle));
  const schemaOfPart = ({ isOptional, properties, items, ...keywords }: Form): Type.TSchema => {
    const made = (): Type.TSchema => {
      if (items !== undefined) return Type.Array(schemaOfPart(items), keywords);
      if (properties === undefined) return Type.Unsafe(keywords);
      const members = Object.entries(properties).map(([name, form]) => [name, schemaOfPart(form)] as const);
      const { title = '' } = keywords;
      unbound.delete(title);
      return closed(Object.fromEntries(members), { ...keywords, rules: rulesByTitle[title] ?? [] });
    };
    return isOptional === true ? optional(made()) : made();
  };
  const schema = schemaOfPart(whole);
  assert(unbound.size === 0, `an object has the title ${[...unbound].join(', ')}`);
  return schema;
}

/** A file of fixtures/personas, or a persona in a body: who lives on an account (docs/life.md). */
export const personaFile = schemaOf(personaForm, personaRules) as BodySchema;
