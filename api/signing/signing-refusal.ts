import { Refusal, type FaultCode } from '../../engine/values/fault.ts';
import { clip } from '../../engine/values/text.ts';

/** rules.md E1. */
const longestText = 512;

/**
 * A refusal of the signature check. The path is the header at fault, in lower case. The text is cut to 512
 * characters: a value that may be long (a signing string) belongs last.
 */
export function signingRefusal(code: FaultCode, path: string, text: string): Refusal {
  return new Refusal({ code, path, text: clip(text, longestText) });
}
