import { inspectConsents } from './rows/consent-inspection.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { consentView, type ConsentView } from './consent-view.ts';

/** Every consent of every TPP and PSU, ended ones too (rules.md A7). */
export function listConsents(bank: BankContext): Promise<ConsentView[]> {
  return bank.ledger.read(async (reader) => {
    const views: ConsentView[] = [];
    for (const consent of await inspectConsents(reader)) views.push(await consentView(reader, consent));
    return views;
  });
}
