import { describeInterface } from '../../api/openapi/interface-document.ts';
import { apiDocument, refusalName } from '../../api/openapi/document.ts';
import { noSamples } from '../../api/openapi/samples.ts';
import { controlCheck } from './control-endpoints.ts';
import { AnswerCheck } from './answer-check.ts';
import { relaxedFor, undescribed } from './relaxed-document.ts';
import type { SeenAnswer } from './sent-answers.ts';

/** Answers that an API document describes. */
interface Described {
  /** Of their targets; what follows is the path in the document. */
  readonly prefix: RegExp;
  /** `habits`: the quirks whose habits the answer shows. */
  readonly check: (habits: readonly string[]) => AnswerCheck;
}

const described: readonly Described[] = [
  {
    prefix: /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/,
    check: (habits) =>
      new AnswerCheck(relaxedFor(apiDocument(describeInterface('http://127.0.0.1', noSamples)), habits), refusalName),
  },
  { prefix: /^(\/banks\/[^/?]+)?(?=\/sandbox(?:[/?]|$))/, check: controlCheck },
];

const checks = new Map<Described, Map<string, AnswerCheck>>();

/** What the API documents, and the habits of an answer, do not say of it; null: they say all of it, or nothing of its path. */
export function undocumented({ target, habits, ...answer }: SeenAnswer): string | null {
  const document = described.find(({ prefix }) => prefix.test(target));
  if (document === undefined) return null;
  const shown = undescribed(habits);
  const known = checks.get(document) ?? new Map<string, AnswerCheck>();
  const check = known.get(shown.join()) ?? document.check(shown);
  checks.set(document, known.set(shown.join(), check));
  return check.faultOf({ ...answer, path: target.replace(document.prefix, '').replace(/\?.*/s, '') });
}
