import { type Quirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { contractOf } from '../../api/openapi/contract.ts';
import { refusalName } from '../../api/openapi/document.ts';
import { controlCheck } from './control-endpoints.ts';
import { AnswerCheck } from './answer-check.ts';
import type { SeenAnswer } from './sent-answers.ts';

/** Answers that an API document describes. */
interface Described {
  /** Of their targets; what follows is the path in the document. */
  readonly prefix: RegExp;
  /** `quirks`: those of the bank. */
  readonly check: (quirks: Quirks) => Promise<AnswerCheck>;
}

const described: readonly Described[] = [
  {
    prefix: /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/,
    check: async (quirks) => new AnswerCheck(await contractOf(quirks, null), refusalName),
  },
  { prefix: /^(\/banks\/[^/?]+)?(?=\/sandbox(?:[/?]|$))/, check: async () => controlCheck() },
];

const checks = new Map<string, Promise<AnswerCheck>>();

/** What the API documents do not say of an answer of a bank with these quirks; null: they say all of it, or nothing of its path. */
export async function undocumented({ target, quirks, ...answer }: SeenAnswer): Promise<string | null> {
  const document = described.find(({ prefix }) => prefix.test(target));
  if (document === undefined) return null;
  const key = `${described.indexOf(document)} ${quirkTexts(quirks).join()}`;
  const check = checks.get(key) ?? document.check(quirks);
  checks.set(key, check);
  const fault = (await check).faultOf({ ...answer, path: target.replace(document.prefix, '').replace(/\?.*/s, '') });
  return fault === null || quirks.size === 0 ? fault : `under ${quirkTexts(quirks).join()}: ${fault}`;
}
