import { clip } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** Refusal for a request that express could not read (rules.md E2); null for any other error. */
export function unreadBody(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { status } = error as Error & { readonly status?: number };
  if (status === undefined || status < 400 || status > 499) return null;
  return new Refusal({ code: 'BAD_REQUEST', text: `The request cannot be read: ${clip(error.message, 200)}.` });
}
