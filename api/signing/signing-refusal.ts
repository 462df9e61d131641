import { type Fault, type FaultCode, Refusal } from '../../engine/values/fault.ts';
import { clip } from '../../engine/values/text.ts';

/** Maximum length of the text of a fault, in characters (rules.md E1). */
const maxText = 512;

/**
 * A refusal of the signature check. `finding`: what is wrong, without the text that was signed. Both are cut to 512
 * characters.
 */
export class SigningRefusal extends Refusal {
  readonly finding: string;

  constructor(fault: Fault, finding = fault.text) {
    super({ ...fault, text: clip(fault.text, maxText) });
    this.finding = clip(finding, maxText);
  }
}

/** A refusal of the signature check. `path`: the header at fault, in lower case. */
export function signingRefusal(code: FaultCode, path: string, text: string): SigningRefusal {
  return new SigningRefusal({ code, path, text });
}

/** The refusal of a Signature header. */
export function invalidSignature(text: string): SigningRefusal {
  return signingRefusal('SIGNATURE_INVALID', 'signature', text);
}
