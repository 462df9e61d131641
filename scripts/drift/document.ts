import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { apiDocument, type ApiDocument } from '../../api/openapi/document.ts';
import { describeInterface } from '../../api/openapi/interface-document.ts';
import { shapedBy } from '../../api/quirks/index.ts';

const plain = new Map<boolean, ApiDocument>();

/**
 * The API document of a bank with these quirks (rules.md E10), or of its unsigned door. What follows the clock of the
 * bank has each of its forms.
 */
export async function documentUnder(quirks: Quirks, isOfDoor: boolean): Promise<ApiDocument> {
  const own = plain.get(isOfDoor) ?? apiDocument(describeInterface(isOfDoor));
  plain.set(isOfDoor, own);
  return { ...own, ...(await shapedBy(quirks, own, null)) };
}
