export { BankError } from './bank-error.ts';
export { connectBank, createBank } from './create-bank.ts';
export { openPlatform } from './create-bank.ts';
export { matchers } from './matchers/matchers.ts';
export type * from './types.ts';
