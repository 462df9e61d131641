import type { Call } from '../../pipeline/endpoint.ts';

/** The account id of a path. */
export function accountIn({ params }: Call): string {
  return params['accountId'] ?? '';
}
