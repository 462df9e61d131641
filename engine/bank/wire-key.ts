import { bankTime, type BankContext } from './bank-context.ts';

/** The key of this ledger's ids on the wire, 64 hexadecimal digits (rules.md Q3). */
export async function wireKey(bank: BankContext): Promise<string> {
  return (await bank.ledger.read((reader) => bankTime(bank, reader))).state.wire_key;
}
