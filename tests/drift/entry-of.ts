import type { HarPair } from '../../scripts/drift/har.ts';
import type { HarEntry } from '../../scripts/drift/har-file.ts';

/** An entry of a HAR with this answer: JSON, or a text as it is. */
export function entryOf(
  answer: unknown,
  headers: readonly HarPair[] = [],
  url = 'https://bank.example/v1/accounts',
): HarEntry {
  const content = { text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  return { request: { method: 'GET', url, headers }, response: { status: 200, headers: [], content } } as never;
}
