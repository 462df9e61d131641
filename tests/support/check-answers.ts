import { afterAll, afterEach } from '@jest/globals';
import { busyPage, gatewayPage, leftPage } from '../../api/pipeline/struck-call.ts';
import { seeAnswers, type SeenAnswer } from './sent-answers.ts';

/*
 * Every answer that a bank of a test gives is checked against the API document. Jest loads this file before each file of tests.
 * Answers are checked after the test, so that measurements are of the bank alone; the document is made for the first of them.
 */

/** The number of answers from which on they are checked while the test runs, so that they need no memory. */
const maxWaiting = 500;

let waiting: SeenAnswer[] = [];
let checked: Promise<string[]> = Promise.resolve([]);
/** `/sandbox/landed` is a page. */
const documentedTarget = /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/(v1|sandbox(?!\/landed\/?(?:\?|$)))(?=[/?]|$)/;

/** The page of an unknown address for a browser (control-plane.md C12); the interface has none. */
const isMissingPage = ({ target, status, contentType }: SeenAnswer): boolean =>
  status === 404 && contentType.startsWith('text/html') && /^(\/banks\/[^/?]+)?\/sandbox/.test(target);

const stop = seeAnswers((answer) => {
  // A gateway in front of the bank knows nothing of its document (rules.md E6c, E6f).
  if (
    !documentedTarget.test(answer.target) ||
    isMissingPage(answer) ||
    [busyPage, gatewayPage, leftPage].includes(String(answer.body))
  )
    return;
  waiting.push(answer);
  if (waiting.length >= maxWaiting) check();
});

function check(): void {
  const answers = waiting;
  waiting = [];
  if (answers.length === 0) return;
  checked = checked.then(async (faults) => {
    const { undocumented } = await import('./api-documents.ts');
    for (const answer of answers) {
      const fault = await undocumented(answer);
      if (fault !== null) faults.push(fault);
    }
    return faults;
  });
}

async function expectDocumented(): Promise<void> {
  check();
  const faults = await checked;
  checked = Promise.resolve([]);
  if (faults.length > 0) throw new Error([...new Set(faults)].slice(0, 5).join('\n\n'));
}

afterEach(expectDocumented);
afterAll(async () => {
  stop();
  await expectDocumented();
});
