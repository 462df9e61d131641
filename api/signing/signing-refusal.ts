import { Refusal } from '../../engine/values/fault.ts';
import type { FaultCode } from '../../engine/values/fault.ts';

/** rules.md E1. */
const longestText = 512;

/**
 * A refusal of the signature check. The path is the header at fault, in lower case. The text is cut to 512
 * characters, so whatever may be long (a signing string) belongs last.
 */
export function signingRefusal(code: FaultCode, path: string, text: string): Refusal {
  return new Refusal({ code, path, text: clip(text, longestText) });
}

/** A received value for use inside a text: control characters are written out, the length is bounded. */
export function show(value: string, limit = 80): string {
  const readable = value
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return clip(readable.toWellFormed(), limit);
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`.toWellFormed();
}
