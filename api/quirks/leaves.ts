import { dateFrom } from '../../engine/bank/rules/quirk-value.ts';
import { inOperations, withPage } from './contract.ts';
import { always } from './hearing.ts';
import { type JsonObject, only } from './json.ts';
import type { QuirkFile } from './quirk-file.ts';

/** An operation of a bank that has left: it answers 404, or refuses a request before it has read the path. */
function refused(operation: JsonObject): JsonObject {
  return { ...operation, responses: only(operation['responses'] as JsonObject, '400', '404', '408', '431') };
}

export const quirk: QuirkFile<'leaves'> = {
  group: 'failures',
  does: 'From the given date on, the bank has left the platform: every call under /v1 gets a page, 404',
  lines: {
    H59: {
      what: 'A bank leaves the platform. From then on its host knows no path.',
      value: 'P30D',
      seen: { register: [66], facts: ['portalLeaving'] },
      mistake: 'The client takes the 404 for an unknown payment or account. Its consents do not move with the bank.',
    },
  },
  shape: (document, day, moment) => {
    const isGone = moment !== null && moment.today >= dateFrom(moment.start, day);
    const shaped = withPage(document, 404, isGone);
    return isGone ? inOperations(shaped, /^/, refused) : shaped;
  },
  heard: always,
};
