export { BankError } from './bank-error.ts';
export { connectBank, createBank, openPlatform } from './create-bank.ts';
export { matchers } from './matchers.ts';
export type * from './types/index.ts';
