import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import type { Bank, CreateBankOptions } from '../../api/harness/index.ts';

export const wednesday = '2027-03-24T12:00:00+01:00';
/** Of the known state: Nora, with 18000.00 NOK, and an account in another bank. */
export const nora = { psu: '13039319955', bban: '09232911044' };
/** 12.00 NOK and no credit line. */
export const anne = { psu: '01819050062', bban: '34300000012' };
export const stranger = '90491105991';

/** A bank for the tests of a file, at the start of its time before each of them. */
export function harnessBank(options: CreateBankOptions = {}): { readonly bank: Bank } {
  const held = { bank: undefined as Bank | undefined };
  beforeAll(async () => {
    held.bank = await createBank({ now: wednesday, ...options });
  });
  beforeEach(() => held.bank?.reset());
  afterAll(() => held.bank?.close());
  return {
    get bank() {
      if (held.bank === undefined) throw new Error('asked for before the tests began');
      return held.bank;
    },
  };
}
