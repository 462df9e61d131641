import { QueryReader } from './query-reader.ts';

/** `withBalance` of GET /v1/accounts and /v1/accounts/{id}; left out it is false (real-api-facts.md 9.1). */
export function withBalance(query: URLSearchParams): boolean {
  const reader = new QueryReader(query, ['withBalance']);
  const wanted = reader.word('withBalance', ['true', 'false'], 'false');
  reader.finish();
  return wanted === 'true';
}
