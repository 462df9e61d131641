import { createHash } from 'node:crypto';
import type { Bank } from '../../engine/open-bank.ts';
import { bankTime } from '../../engine/bank/bank-context.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { type Quirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { dateFrom } from '../../engine/bank/rules/quirk-value.ts';
import { once } from '../../engine/values/once.ts';
import { osloDate } from '../../engine/values/instant.ts';
import type { Moment } from '../quirks/contract.ts';
import { shapedBy } from '../quirks/index.ts';
import { withFittedExamples } from './fitted-examples.ts';
import { type ApiDocument, apiDocument } from './document.ts';
import { describeInterface, exampleTpp } from './interface-document.ts';
import { readSamples, StoryText } from './samples.ts';
import { keepNewest } from '../../engine/values/lists.ts';

/**
 * The API document of a bank with these quirks (rules.md E10), with examples of the story. `moment`: null, for any
 * time: what follows the clock is described in each of its forms. `isOfDoor`: for the unsigned door of a TPP.
 */
export async function contractOf(quirks: Quirks, moment: Moment | null, isOfDoor = false): Promise<ApiDocument> {
  const document = await schemasUnder(quirks, moment, isOfDoor);
  return quirks.size === 0 ? document : { ...document, paths: withFittedExamples(document) };
}

/** The same document to judge answers by: its examples need not fit. */
export async function schemasUnder(quirks: Quirks, moment: Moment | null, isOfDoor = false): Promise<ApiDocument> {
  const plain = apiDocument(describeInterface(isOfDoor));
  return quirks.size === 0 ? plain : { ...plain, ...(await shapedBy(quirks, plain, moment)) };
}

/** Texts of documents by what they depend on, the latest last. Banks with the same quirks share one. */
const kept = new Map<string, () => Promise<StoryText>>();
const maxKept = 8;

/**
 * The API document of this bank as it is now, as JSON, and its ETag. What it says is kept until a quirk changes, or a
 * day on which a quirk follows the clock. `address`: the absolute address of the bank, without a slash at the end.
 * `door`: the name of a TPP, for the document of its unsigned door.
 */
export async function interfaceDocument(
  bank: Bank,
  address: string,
  door: string | null = null,
): Promise<{ readonly text: string; readonly etag: string }> {
  const { quirks } = bank;
  const { now, state } = await bank.ledger.read((reader) => bankTime(bank, reader));
  const moment = { today: osloDate(now), start: osloDate(state.seeded_at) };
  const key = JSON.stringify([quirkTexts(quirks), door === null, phaseOf(quirks, moment)]);
  const made =
    kept.get(key) ?? once(async () => new StoryText(JSON.stringify(await contractOf(quirks, moment, door !== null))));
  keepNewest(kept, key, made, maxKept);
  const samples = await readSamples(bank, door ?? exampleTpp);
  const others = { address, tppName: door ?? exampleTpp };
  const etag = createHash('sha256')
    .update(JSON.stringify([key, samples, others]))
    .digest('base64url');
  const text = (await made()).in(samples, { ...others, requestId: randomIds.uuid() });
  return { text, etag: `W/"${etag}"` };
}

/** What of a moment a document depends on: which dates of quirks have come. */
export function phaseOf(quirks: Quirks, { today, start }: Moment): readonly boolean[] {
  const days = [quirks.get('leaves'), quirks.get('accept-fix-dates')?.['amount-as-string']];
  return days.map((day) => day !== undefined && today >= dateFrom(start, day));
}
