import { type Form, personaForm } from '../../life/rules/persona-form.ts';
import { personaRules, risesOnce } from '../../life/rules/persona-rules.ts';
import type { Members } from '../../values/members.ts';
import {
  type Allowed,
  bankDate,
  currency,
  formed,
  listOf,
  object,
  oneOf,
  optional,
  text,
  truth,
  whole,
} from '../../values/allowed.ts';

/* The personas of lives, as the ledger keeps them: by their form and its rules. */

const texts: Readonly<Record<NonNullable<Form['is']>, Allowed>> = {
  amount: formed(/^-?\d{1,10}(\.\d{2,3})?$/),
  account: formed(/^(\d{11}|[A-Z]{2}\d{2}[0-9A-Z]{1,30})$/),
  currency,
  rate: formed(/^\d{1,9}(\.\d{1,6})?$/),
};

/** Allows values of this form. */
function allowedBy({ isOptional, ...form }: Form): Allowed {
  if (isOptional === true) return optional(allowedBy(form));
  const { type, is, items, minItems = 0, maxItems = 0, minLength, maxLength = Infinity } = form;
  if (type === undefined) return oneOf(form.enum ?? []);
  switch (type) {
    case 'integer':
      return whole(form.minimum ?? 0, form.maximum ?? 0);
    case 'boolean':
      return truth;
    case 'array': {
      const each = items === undefined ? listOf(() => false) : listOf(allowedBy(items));
      return (value) => Array.isArray(value) && value.length >= minItems && value.length <= maxItems && each(value);
    }
    case 'object': {
      const members = Object.entries(form.properties ?? {}).map(([name, member]) => [name, allowedBy(member)] as const);
      const hasForm = object(Object.fromEntries(members));
      const rules = (personaRules[form.title ?? ''] ?? []).filter((rule) => rule !== risesOnce);
      return (value) => hasForm(value) && rules.every((rule) => rule(value as Members).length === 0);
    }
    case 'string': {
      if (is !== undefined) return texts[is];
      if (form.format === 'local-date') return bankDate;
      const [hasLength, hasPattern] = [text(maxLength, minLength), formed(new RegExp(form.pattern ?? ''))];
      return (value) => hasLength(value) && hasPattern(value);
    }
  }
}

/** A Persona (engine/life). */
export const persona = allowedBy(personaForm);
