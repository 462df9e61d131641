import type { ApiDocument } from '../../api/openapi/document.ts';
import type { Quirk } from '../../engine/bank/rules/quirk.ts';

/** A schema of an object in the document. */
interface ObjectSchema {
  readonly properties: Record<string, object>;
  required?: string[];
}

type Schemas = Readonly<Record<string, ObjectSchema>>;

const transactions = ['BookedTransaction', 'PendingTransaction', 'EntryDetails'];
const paymentDetails = [
  'CreditTransfer',
  'InstantCreditTransfer',
  'SepaCreditTransfer',
  'CrossBorderCreditTransfer',
  'PeriodicPayment',
  'BulkPayment',
];
const strings = { type: 'array', items: { type: 'string' }, minItems: 1 };

/** All that a quirk shows otherwise than the API document (rules.md Q2). Other quirks keep to it. */
const relaxations: Readonly<Partial<Record<Quirk, (schemas: Schemas) => void>>> = {
  'pending-dates': (schemas) => {
    set(schemas, ['PendingTransaction'], 'bookingDate', { type: 'string', format: 'date' });
    set(schemas, ['PendingTransaction'], 'valueDate', { type: 'string', format: 'date' });
    demandNot(schemas, ['CardTransaction'], 'transactionDate');
  },
  'pending-members': (schemas) => demandNot(schemas, ['CardTransaction'], 'cardTransactionId', 'invoiced'),
  'structured-references': (schemas) => {
    for (const name of transactions) {
      const usual = schemas[name]?.properties['remittanceInformationStructuredArray'] ?? {};
      set(schemas, [name], 'remittanceInformationStructuredArray', { anyOf: [usual, strings] });
    }
  },
  'no-transaction-ids': (schemas) => demandNot(schemas, ['BookedTransaction'], 'transactionId'),
  'accept-fix-dates': (schemas) => {
    for (const { properties } of Object.values(schemas)) {
      const { amount } = properties ?? {};
      if (amount !== undefined) properties['amount'] = { anyOf: [amount, { type: 'number' }] };
    }
  },
  'no-status-in-details': (schemas) => demandNot(schemas, paymentDetails, 'transactionStatus'),
};

/** The quirks among these that the document does not describe. */
export function undescribed(quirks: readonly string[]): readonly string[] {
  return quirks.filter((name) => Object.hasOwn(relaxations, name));
}

/** The document with what these quirks show. */
export function relaxedFor(document: ApiDocument, quirks: readonly string[]): ApiDocument {
  if (quirks.length === 0) return document;
  const relaxed = structuredClone(document);
  for (const [name, relax] of Object.entries(relaxations)) {
    if (quirks.includes(name)) relax(relaxed.components.schemas as Schemas);
  }
  return relaxed;
}

function set(schemas: Schemas, names: readonly string[], member: string, schema: object): void {
  for (const name of names) known(schemas, name).properties[member] = schema;
}

function demandNot(schemas: Schemas, names: readonly string[], ...members: readonly string[]): void {
  for (const name of names) {
    const schema = known(schemas, name);
    schema.required = schema.required?.filter((member) => !members.includes(member)) ?? [];
  }
}

function known(schemas: Schemas, name: string): ObjectSchema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`the API document has no schema ${name}`);
  return schema;
}
