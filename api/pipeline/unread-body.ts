import { clip } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** Refusal for a request that express or its body reader could not read (rules.md E2); null for any other error. */
export function unreadBody(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { type, status } = error as Error & { readonly type?: string; readonly status?: number };
  if (type === 'entity.too.large') {
    const text = 'The body is too large: at most 256 KB, for a bulk payment 8 MB.';
    return new Refusal({ code: 'BAD_REQUEST', place: 'size', text });
  }
  if (type === 'encoding.unsupported') {
    const text = 'The body is sent with a Content-Encoding. Send it as it is: the Digest is over the bytes sent.';
    return new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-encoding', text });
  }
  if (status === undefined || status < 400 || status > 499) return null;
  return new Refusal({ code: 'BAD_REQUEST', text: `The request cannot be read: ${clip(error.message, 200)}.` });
}
