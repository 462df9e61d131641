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
  /** `quirks`: those of the bank. */
  readonly check: (quirks: readonly string[]) => AnswerCheck;
}

const described: readonly Described[] = [
  {
    prefix: /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/,
    check: (quirks) =>
      new AnswerCheck(relaxedFor(apiDocument(describeInterface('http://127.0.0.1', noSamples)), quirks), refusalName),
  },
  { prefix: /^(\/banks\/[^/?]+)?(?=\/sandbox(?:[/?]|$))/, check: controlCheck },
];

const checks = new Map<Described, Map<string, AnswerCheck>>();

/** What the API documents, and the quirks of the bank, do not say of it; null: they say all of it, or nothing of its path. */
export function undocumented({ target, quirks, ...answer }: SeenAnswer): string | null {
  const document = described.find(({ prefix }) => prefix.test(target));
  if (document === undefined) return null;
  const shown = undescribed(quirks);
  const known = checks.get(document) ?? new Map<string, AnswerCheck>();
  const check = known.get(shown.join()) ?? document.check(shown);
  checks.set(document, known.set(shown.join(), check));
  return check.faultOf({ ...answer, path: target.replace(document.prefix, '').replace(/\?.*/s, '') });
}
