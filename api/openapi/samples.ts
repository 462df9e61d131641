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
  psu: nobody,
  psuId: noUuid,
  debtorBban: noBban,
  creditorBban: noBban,
  corporation: nobody,
  corporateBban: noBban,
  params: {
    accountId: noId,
    cardId: noId,
    customerId: noId,
    agreementId: noId,
    tppId: noId,
    paymentId: noId,
    basketId: noId,
    transactionId: noId,
    cardTransactionId: noId,
  },
};

/** Values of this bank for examples, as they are now. `tpp` is the name of the TPP that sends them. */
export async function readSamples(bank: Bank, tpp: string): Promise<Samples> {
  const { accountId, cardId, customerId, agreementId, ...values } = await exampleValues(bank);
  return {
    ...noSamples,
    ...known(values),
    params: { ...noSamples.params, ...known({ accountId, cardId, customerId, agreementId }), tppId: testTppId(tpp) },
  };
}

/** Without what the bank has nothing of. */
function known<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const there = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(there) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
