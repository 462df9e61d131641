import { accountTransactions, also, at, inSchemas, withOwnParts } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
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

export const quirk: QuirkFile<'structured-references'> = {
  group: 'texts',
  does: 'A structured reference is a list of objects, a list of strings, or one joined string',
  banks: ['SpareBank 1 Sør-Norge', 'Bien Sparebank'],
  lines: {
    H17: {
      what: 'A structured reference is a list of two strings at one bank and one joined string at another.',
      value: 'strings',
      seen: { register: [30], facts: ['structuredReference'] },
      mistake: 'The client reads one of the two forms, and finds no KID in the other.',
    },
  },
  shape: (document, value) => {
    if (value === 'objects') return document;
    const own = withOwnParts(document, ['TransactionInFull'], ['EntryDetails'], 'WithTexts');
    const texts = at(
      member,
      also(
        value === 'joined'
          ? { items: { type: 'string', pattern: '^reference: .*, referenceType: ' } }
          : { items: { type: 'string' }, minItems: 2 },
      ),
    );
    return inSchemas(own, [...accountTransactions, 'EntryDetailsWithTexts'], texts);
  },
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
