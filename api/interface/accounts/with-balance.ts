import type { QueryReader } from '../../pipeline/query-reader.ts';

export const balanceParameters = ['withBalance'];

/** `withBalance` of GET /v1/accounts and /v1/accounts/{id}; left out it is false (real-api-facts.md 9.1). */
export function withBalance(reader: QueryReader): boolean {
  const wanted = reader.word('withBalance', ['true', 'false'], 'false');
  reader.finish();
  return wanted === 'true';
}
