import type { Exchange } from './exchange.ts';
import { keyOf } from './difference.ts';
import { formOf, words } from './forms.ts';
import { type Drift, lineOf, type ReportedDifference } from './tell.ts';

/** A recording, and how it differs from the sandbox. */
interface Told {
  readonly exchanges: readonly Exchange[];
  readonly drift: Drift;
}

/** Compares two recordings of one bank by their differences from the sandbox (DW11). So what each recording reads does not matter. */
export function changesBetween(before: Told, after: Told) {
  const had = new Set(before.drift.differences.map(signatureOf));
  const has = new Set(after.drift.differences.map(signatureOf));
  const asked = new Set(after.exchanges.map(callOf));
  const placeOf = ({ number }: ReportedDifference): Exchange | undefined =>
    before.exchanges.find((exchange) => exchange.number === number);
  return {
    /** Differences from the sandbox that only the second recording has in this form. */
    begun: after.drift.differences.filter((one) => !had.has(signatureOf(one))),
    /** Differences of the first recording that the second one lacks, although it calls the same endpoint. */
    ended: before.drift.differences.filter((one) => {
      const exchange = placeOf(one);
      return !has.has(signatureOf(one)) && exchange !== undefined && asked.has(callOf(exchange));
    }),
  };
}

/** Kind and place of a difference, and the form of its value. */
function signatureOf(one: ReportedDifference): string {
  const name = one.path.split('.').at(-1)?.replace('[]', '') ?? '';
  const isWord = one.kind === 'header' || one.kind === 'status' || one.kind === 'code' || words.test(name);
  return `${keyOf(one)} ${isWord ? String(one.recorded) : formOf(one.recorded, name)}`;
}

/** Method and endpoint: calls with the same text have the same kind of answer. */
function callOf({ method, endpoint }: Exchange): string {
  return `${method} ${endpoint ?? ''}`;
}

/** A line for each change. `first`: the file of the first recording. */
export function changeLines(
  { begun, ended }: ReturnType<typeof changesBetween>,
  first: string,
  quirks: Drift['quirks'],
): string[] {
  return [
    ...begun.map((one) => `began after ${first}: ${lineOf(one, quirks)}`),
    ...ended.map((one) => `ended after ${first}: ${lineOf(one, [])}`),
  ];
}
