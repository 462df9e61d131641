import { factsOfLedger } from './account-state.ts';
import { bankServer } from './bank-server.ts';
import { configOf } from './config-of.ts';
import { connectTo } from './connect.ts';
import { harnessBank } from './harness-bank.ts';
import type { Bank, CreateBankOptions } from './types.ts';

/** The bank that createBank returns. */
export async function openForTests(options: CreateBankOptions): Promise<Bank> {
  const { bank, server, catchUp, ...reached } = await bankServer(await configOf(options), options);
  const facts = factsOfLedger(bank, catchUp);
  return harnessBank({ ...reached, overHttp: connectTo(reached.base, server), facts: () => facts, issue: null });
}
