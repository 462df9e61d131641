import { isCurrency } from '../../../engine/values/currency.ts';
import { parseSandboxAmount } from '../../../engine/values/money.ts';
import { amountFaults } from '../../bodies/amount.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';

/** A mock batch is the sum of its parts, in their currency, and says how many they are (interface: Account transaction). Each is judged as the whole is. */
export function batchParts({ amount, currency, batchIndicator, ...batch }: Members): readonly RuleFault[] {
  const { batchNumberOfTransactions: count, entryDetails } = batch;
  const isBatch = count !== undefined || entryDetails !== undefined;
  if (isBatch && batchIndicator === false) {
    return [
      { member: 'batchIndicator', text: 'It is false, and the transaction has parts. Send true, or leave it out.' },
    ];
  }
  // No parts at all is what the schema refuses.
  if (!Array.isArray(entryDetails) || entryDetails.length === 0) return [];
  const parts: readonly unknown[] = entryDetails;
  const faults = parts.flatMap((part, index) =>
    amountFaults(`entryDetails[${index}].amount`, memberOf(part, 'amount'), currency),
  );
  if (typeof count === 'number' && count !== parts.length) {
    const text = `It is ${count}, and entryDetails has ${parts.length}. Send the same number, or leave it out.`;
    faults.push({ member: 'batchNumberOfTransactions', text });
  }
  const total = minorOf(amount, currency);
  const minors = parts.map((part) => minorOf(memberOf(part, 'amount'), currency));
  if (total === null || minors.includes(null)) return faults;
  const sum = minors.reduce<bigint>((left, right) => left + (right ?? 0n), 0n);
  if (sum === total) return faults;
  const text = `The parts sum to ${sum} minor units, the amount is ${total}. Send parts that sum to the amount.`;
  return [...faults, { member: 'entryDetails', text }];
}

function minorOf(value: unknown, currency: unknown): bigint | null {
  if (typeof currency !== 'string' || !isCurrency(currency)) return null;
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const read = parseSandboxAmount(value, currency);
  return typeof read === 'string' ? null : read.minor;
}
