import { type Quirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { schemasUnder } from '../../api/openapi/contract.ts';
import { refusalName } from '../../api/openapi/document.ts';
import { controlCheck } from './control-endpoints.ts';
import { AnswerCheck } from './answer-check.ts';
import { RequestCheck } from './request-check.ts';
import type { SeenAnswer } from './sent-answers.ts';

/** Paths of the interface, and of the control plane: what follows is the path in the document. */
const ofInterface = /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/;
const ofControl = /^(\/banks\/[^/?]+)?(?=\/sandbox(?:[/?]|$))/;

interface Checks {
  readonly answers: AnswerCheck;
  readonly requests: RequestCheck;
}

const checks = new Map<string, Promise<Checks>>();
/** By the text of the document, which many a quirk leaves as it is. */
const ofDocuments = new Map<string, Checks>();
let control: AnswerCheck | undefined;

async function checksUnder(quirks: Quirks): Promise<Checks> {
  const document = await schemasUnder(quirks, null);
  const text = JSON.stringify(document);
  const made = ofDocuments.get(text) ?? {
    answers: new AnswerCheck(document, refusalName),
    requests: new RequestCheck(document),
  };
  ofDocuments.set(text, made);
  return made;
}

/**
 * What the API document does not say of an answer of a bank with these quirks, or refuses of a request that the bank has taken; null: nothing,
 * or the path is of no document.
 */
export async function undocumented({ target, quirks, asked, ...answer }: SeenAnswer): Promise<string | null> {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (ofControl.test(target)) {
    control ??= controlCheck();
    return control.faultOf({ ...answer, path: path.replace(ofControl, '') });
  }
  if (!ofInterface.test(target)) return null;
  const on = quirkTexts(quirks).join();
  const check = checks.get(on) ?? checksUnder(quirks);
  checks.set(on, check);
  const { answers, requests } = await check;
  const here = path.replace(ofInterface, '');
  const { method, status } = answer;
  const sent = { method, path: here, headers: asked.headers, query: new URLSearchParams(query), body: asked.body };
  const refused = status < 300 ? requests.faultOf(sent) : null;
  const fault =
    refused === null
      ? answers.faultOf({ ...answer, path: here })
      : `${method} ${target} was taken, but ${refused}\n${asked.body}`;
  return fault === null || on === '' ? fault : `under ${on}: ${fault}`;
}
