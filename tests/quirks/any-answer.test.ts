import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endpoints } from '../../api/interface/index.ts';
import type { Call } from '../../api/pipeline/endpoint.ts';
import { operationOf } from '../../api/pipeline/endpoint.ts';
import { refusalExample } from '../../api/openapi/document.ts';
import { readHeaders } from '../../api/pipeline/request-headers.ts';
import { quirkShaping } from '../../api/quirks/index.ts';
import { noQuirks, type Quirk, quirkNames, quirks, switched, isProblem } from '../../engine/bank/rules/quirk.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import { memoryBank } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { did } from '../lab/server.ts';
import { runs } from '../support/sample.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q2: a quirk shows what there is. An answer without a body and a refusal pass each of them. */
const bank = testBank('2027-03-24T12:00:00+01:00');
/** A quirk with a value that does something on any day. */
const valueOf = (name: Quirk): string | true =>
  name === 'accept-fix-dates' ? 'amount-as-string:2030-01-01' : (quirks[name].value?.usual ?? true);
const quiet: readonly Quirk[] = quirkNames.filter((name) => name !== 'leaves');
const chosenBy = (names: readonly Quirk[]) =>
  switched(
    noQuirks,
    names.map((name) => [name, valueOf(name)] as const),
  );
const called = (path: string) => ({
  params: {},
  sentTo: { method: 'GET', path, query: '' },
  headers: readHeaders({}, []),
});

test('DELETE of an unsigned payment is 204 under each quirk', async () => {
  const answers: unknown[] = [];
  // The accounts of the known state fail bban-mod11.
  const those = quiet.filter((name) => name !== 'bban-mod11');
  let before = {};
  for (const name of those) {
    await did(bank.quirks({ ...before, [name]: valueOf(name) }));
    before = { [name]: false };
    const amount = { amount: `${answers.length + 1}.00`, currency: 'NOK' };
    const { paymentId } = await bank.initiates(singlePath, singlePayment({ instructedAmount: amount }));
    const { status, body } = await bank.signed('DELETE', `${singlePath}/${paymentId}`);
    answers.push([name, status, body]);
  }
  expect(answers).toEqual(those.map((name) => [name, 204, null]));
});

test('each quirk keeps the status and the code of a refusal of each operation', async () => {
  const refused = { status: 404, headers: {}, body: refusalExample('RESOURCE_UNKNOWN'), transactions: null };
  for (const name of quiet) {
    const chosen = chosenBy([name]);
    if (isProblem(chosen)) throw new Error(`${name} goes alone`);
    await using opened = await memoryBank('2027-03-24T12:00:00+01:00', { quirks: chosen });
    const { show } = await quirkShaping(opened);
    for (const operation of show === null ? [] : endpoints.map(operationOf)) {
      const shown = await show?.({ operation, ...refused }, null);
      expect([name, operation, shown]).toMatchObject([
        name,
        operation,
        { status: 404, body: { tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] } },
      ]);
    }
  }
});

test('any quirks keep the status of an answer without a body, and the codes of a refusal', async () => {
  const operation = fc.constantFrom(null, ...endpoints.map(operationOf));
  const status = fc.constantFrom(200, 201, 204, 400, 401, 403, 404, 409, 429, 500, 503);
  const names = fc.subarray([...quiet]).filter((chosen) => !isProblem(chosenBy(chosen)));
  const body = fc.oneof(fc.constant(undefined), fc.constantFrom(...faultCodes).map(refusalExample));
  const property = fc.asyncProperty(
    operation,
    status,
    names,
    body,
    fc.boolean(),
    async (asked, code, some, sent, isRead) => {
      const chosen = chosenBy(some);
      if (isProblem(chosen)) throw new Error('they go together');
      await using opened = await memoryBank('2027-03-24T12:00:00+01:00', { quirks: chosen });
      const shaping = await quirkShaping(opened);
      const call = isRead ? (called('/payments') as unknown as Call) : null;
      const answer = { operation: asked, status: code, headers: {}, body: sent, transactions: null };
      const shown = shaping.show === null ? answer : await shaping.show(answer, call);
      expect(shown.status).toBe(code);
      expect(shown.body === undefined).toBe(sent === undefined);
    },
  );
  await fc.assert(property, { numRuns: runs(25) });
});
