import { type Fault, type FaultCode, Refusal } from '../../engine/values/fault.ts';
import { clip } from '../../engine/values/text.ts';

/** rules.md E1. */
const longestText = 512;

/** A refusal of the signature check, with its finding: what is wrong, without the text that was signed. */
export class SigningRefusal extends Refusal {
  readonly finding: string;

  constructor(fault: Fault, finding: string) {
    super(fault);
    this.finding = finding;
  }
}

/**
 * A refusal of the signature check. The path is the header at fault, in lower case. `evidence`, which may be long (a signing
 * string), follows the finding; both together are cut to 512 characters.
 */
export function signingRefusal(code: FaultCode, path: string, finding: string, evidence = ''): SigningRefusal {
  const text = evidence === '' ? finding : `${finding} ${evidence}`;
  return new SigningRefusal({ code, path, text: clip(text, longestText) }, clip(finding, longestText));
}
