import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';

/**
 * A TPP reads and writes only what is its own (real-api-facts.md 8): the id in the path is the organizationIdentifier of
 * its certificate, with or without the `PSD` in front, as the banks' pages print it. Another: FORBIDDEN.
 */
export function requireOwnTpp(tppId: string, named: string): void {
  if (named === tppId || `PSD${named}` === tppId) return;
  const text =
    `The certificate is that of ${clip(tppId, 150)}, the path names ${clip(named)}. ` +
    'A TPP reads and writes its own contact information only.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
