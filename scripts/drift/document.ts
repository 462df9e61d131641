import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { apiDocument, type ApiDocument } from '../../api/openapi/document.ts';
import { describeInterface } from '../../api/openapi/interface-document.ts';
import { shapedBy } from '../../api/quirks/index.ts';

let plain: ApiDocument | undefined;

/** The API document of a bank with these quirks (rules.md E10). What follows the clock of the bank has each of its forms. */
export async function documentUnder(quirks: Quirks): Promise<ApiDocument> {
  plain ??= apiDocument(describeInterface());
  return { ...plain, ...(await shapedBy(quirks, plain, null)) };
}
