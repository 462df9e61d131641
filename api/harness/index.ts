export { BankError } from './bank-error.ts';
export { connectBank, createBank, followClock, openPlatform } from './create-bank.ts';
export { matchers } from './matchers.ts';
export type * from './types/index.ts';
