import type { Habit } from './habit.ts';
import { isObject, type JsonObject, withEach } from './json.ts';
import { eachTransaction } from './transactions.ts';

const member = 'remittanceInformationStructuredArray';

/** Shows the references of a transaction, or of one transfer of a batch. */
type ShowReferences = (item: JsonObject) => JsonObject;

const forms: Readonly<Record<'objects' | 'strings' | 'joined', ShowReferences>> = {
  objects: (item) => item,
  strings: (item) => shown(item, ({ reference, referenceType }) => [reference, referenceType]),
  joined: (item) =>
    shown(item, ({ reference, referenceType }) => [`reference: ${reference}, referenceType: ${referenceType}`]),
};

/** The quirk `structured-references` (rules.md Q5; register 30): each reference is an object, two strings, or one string. */
export const structuredReferences: Habit = {
  show: (answer, { quirks }) => {
    const show = forms[quirks.get('structured-references') ?? 'objects'];
    return eachTransaction(answer, (item) =>
      withEach(show(item), 'entryDetails', (part) => (isObject(part) ? show(part) : part)),
    );
  },
};

function shown(item: JsonObject, show: (reference: JsonObject) => readonly unknown[]): JsonObject {
  const { [member]: references } = item;
  if (!Array.isArray(references)) return item;
  return { ...item, [member]: references.filter(isObject).flatMap(show) };
}
