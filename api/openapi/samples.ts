import type { Bank } from '../../engine/bank.ts';
import { exampleValues } from '../../engine/sandbox-data/example-values.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { testTppId } from '../signing/test-tpp.ts';
import type { Samples } from './example-bodies.ts';

/** Where a bank has nothing of a kind: ids and numbers of the right form. */
const nobody = '13039319955';
const noBban = '86011117947';
const noId = 'enc!!dHhuLTAwMDAwMDAwMDAwMQ==';
const noDate = localDate('2027-03-30');
const noUuid = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';

/** Samples of a bank that has nothing. */
export const noSamples: Samples = {
  today: noDate,
  nextBankingDay: noDate,
  openSince: localDate('2026-12-30'),
  psu: nobody,
  psuId: noUuid,
  debtorBban: noBban,
  creditorBban: noBban,
  corporation: nobody,
  corporateBban: noBban,
  paymentId: noId,
  params: {},
  spare: {},
};

/** Values of this bank for examples, as they are now. `tpp` is the name of the TPP that sends them. */
export async function readSamples(bank: Bank, tpp: string): Promise<Samples> {
  const tppId = testTppId(tpp);
  const { accountId, cardId, customerId, agreementId, spare, ...values } = await exampleValues(bank, tppId);
  return {
    ...noSamples,
    ...known(values),
    params: { ...known({ accountId, cardId, customerId, agreementId }), tppId },
    spare: known(spare),
  };
}

/** Without what the bank has nothing of. */
function known<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const there = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(there) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
