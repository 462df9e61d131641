import { type Currency, isCurrency, parseAmount } from '../../values/money.ts';
import {
  type Form,
  type Kind,
  membersOf,
  type MembersOfKind,
  membersOfOccasion,
  personaForm,
} from '../../life/rules/persona-form.ts';
import {
  type Allowed,
  bankDate,
  currency,
  formed,
  listOf,
  number11,
  object,
  oneOf,
  optional,
  text,
  truth,
  whole,
} from './stored-values.ts';

/* The personas of lives, as the ledger keeps them: each member has its form, and the members of an event go together. */

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
    case 'object':
      return object(
        Object.fromEntries(Object.entries(form.properties ?? {}).map(([name, member]) => [name, allowedBy(member)])),
      );
    case 'string': {
      if (is !== undefined) return texts[is];
      if (form.format === 'local-date') return bankDate;
      const [hasLength, hasPattern] = [text(maxLength, minLength), formed(new RegExp(form.pattern ?? ''))];
      return (value) => hasLength(value) && hasPattern(value);
    }
  }
}

type Members = Readonly<Partial<Record<string, unknown>>>;

const datedOrCounted = /^(?:days (?:months )?rule|(?:closedOn )?(?:everyOpenDay|(?:months )?perMonth|perYear))$/;

/** The members of `when` by kind, in alphabetical order. A kind that is left out is dated. */
const ways: Readonly<Partial<Record<Kind, RegExp>>> = {
  transfer: datedOrCounted,
  card: datedOrCounted,
  trip: /^months$/,
  'standing order': /^days rule$/,
};

/** Whether an event has the members of its kind, days of its kind, accounts to pay to, and amounts of its currency. */
function isEvent({ event: _event, kind, when, on: _on, category: _category, ...others }: Members): boolean {
  const { must, may }: MembersOfKind = membersOf[kind as Kind];
  const names = Object.keys(others);
  const { rule } = when as Members;
  const payees = kind === 'standing order' ? [others['party']] : ((others['payees'] ?? []) as unknown[]);
  return (
    must.every((member) => names.includes(member)) &&
    names.every((member) => must.includes(member) || may.includes(member)) &&
    (ways[kind as Kind] ?? /^days (?:months )?rule$/).test(
      Object.keys(when as object)
        .toSorted()
        .join(' '),
    ) &&
    (kind !== 'standing order' || rule !== 'month end') &&
    payees.every(hasNumber) &&
    hasAmounts(others)
  );
}

function hasNumber(party: unknown): boolean {
  return number11((party as Members)['account']);
}

/** Its amounts are those of its currency, and none is zero. */
function hasAmounts({ amount, upTo, roundTo, foreign, ...members }: Members): boolean {
  const code = (foreign as Members | undefined)?.['currency'] ?? 'NOK';
  const { places = [], purchases = [], fare = [], lodging = [] } = members;
  return (
    ([places, purchases, fare, lodging].flat() as Members[]).every(hasAmounts) &&
    [amount, upTo, roundTo].every(
      (each) => typeof each !== 'string' || (typeof code === 'string' && isCurrency(code) && isSomething(each, code)),
    )
  );
}

function isSomething(text: string, currency: Currency): boolean {
  const amount = parseAmount(text, currency);
  return typeof amount !== 'string' && amount.minor !== 0n;
}

/** Whether an occasion has its members, and a price the currency of its event. */
function isOccasion({ on: _on, what, ...others }: Members, events: readonly Members[]): boolean {
  const { must } = membersOfOccasion[what as keyof typeof membersOfOccasion];
  const { party, amount, event: name } = others;
  const event = events.find((each) => each['event'] === name);
  return (
    Object.keys(others).toSorted().join() === must.toSorted().join() &&
    (party === undefined || hasNumber(party)) &&
    (amount === undefined || hasAmounts({ ...event, amount }))
  );
}

const hasForm = allowedBy(personaForm);

/** A Persona (engine/life). */
export const persona: Allowed = (value) => {
  if (!hasForm(value)) return false;
  const { events, occasions = [] } = value as { readonly events: Members[]; readonly occasions?: Members[] };
  return events.every(isEvent) && occasions.every((each) => isOccasion(each, events));
};
