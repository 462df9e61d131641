import { describeInterface } from '../../api/openapi/interface-document.ts';
import { refusalName } from '../../api/openapi/refusals.ts';
import { noSamples } from '../../api/openapi/samples.ts';
import { controlCheck } from './control-endpoints.ts';
import { AnswerCheck } from './answer-check.ts';
import type { SeenAnswer } from './sent-answers.ts';

/** Answers that an API document describes. */
interface Described {
  /** Of their targets; what follows is the path in the document. */
  readonly prefix: RegExp;
  readonly check: () => AnswerCheck;
}

const described: readonly Described[] = [
  {
    prefix: /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/,
    check: () => new AnswerCheck(describeInterface('http://127.0.0.1', noSamples), refusalName),
  },
  { prefix: /^(\/banks\/[^/?]+)?(?=\/sandbox(?:[/?]|$))/, check: controlCheck },
];

const checks = new Map<Described, AnswerCheck>();

/** What the API documents do not say of an answer; null: they say all of it, or nothing of its path. */
export function undocumented({ target, ...answer }: SeenAnswer): string | null {
  const document = described.find(({ prefix }) => prefix.test(target));
  if (document === undefined) return null;
  const check = checks.get(document) ?? document.check();
  checks.set(document, check);
  return check.faultOf({ ...answer, path: target.replace(document.prefix, '').replace(/\?.*/s, '') });
}
