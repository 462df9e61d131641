import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  beginList,
  checkBesideCursor,
  nextPlace,
  previousPlace,
  type ListHabits,
  type ListPlace,
  type Part,
} from '../accounts/rules/list-place.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { ReportQuery } from '../accounts/rules/transaction-report.ts';

/** The owner of the list that a cursor continues. */
interface CursorOwner {
  readonly tppId: string;
  /** `resource_id` of the account or card account. */
  readonly resourceId: string;
  /** `list_key` changes with each reset, initialize and restore. */
  readonly state: Pick<BankStateRow, 'list_key'>;
}

/** The cursors of the next and the previous page; null at an end of the list. */
export interface PagesBeside {
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * Where the page of a query begins. Throws a Refusal with a fault of {@link beginList}, or of {@link openCursor} if the query
 * continues a list.
 */
export function placeOf(owner: CursorOwner, query: ReportQuery, now: Instant, habits: ListHabits): ListPlace {
  if (query.cursor !== null) return openCursor(owner, query.cursor, query);
  const begun = beginList(query, now, habits);
  if ('code' in begun) throw new Refusal(begun);
  return begun;
}

/**
 *  Seals the places of the next and the previous page. `lastKey` reads the highest key of any such list; only a first page needs it.
 */
export async function pagesBeside(
  owner: CursorOwner,
  place: ListPlace,
  limit: number,
  parts: Readonly<Record<'booked' | 'pending', Part>>,
  lastKey: () => Promise<number>,
): Promise<PagesBeside> {
  const [next, previous] = [nextPlace(place, limit, parts), previousPlace(place, limit)];
  if (next === null && previous === null) return { next, previous };
  const last = place.lastKey ?? (await lastKey());
  const seal = (beside: ListPlace | null) => beside && sealCursor(owner, { ...beside, lastKey: last });
  return { next: seal(next), previous: seal(previous) };
}

const sealBytes = 16;
/** Changes with the members of a ListPlace, so that a cursor of an older version is unknown. */
const version = 1;

/**
 * A place as a text that only this ledger can make: a seal over place, TPP and account, followed by the place, in base64url (rules.md
 * A9c). The ledger stores no cursor.
 */
function sealCursor(owner: CursorOwner, place: ListPlace): string {
  const text = JSON.stringify(place);
  return Buffer.concat([sealOf(owner, text), Buffer.from(text)]).toString('base64url');
}

/**
 * The place in a cursor of this account and TPP. PARAMETER_NOT_CONSISTENT for a text that {@link sealCursor} did not make for them since
 * the last reset, initialize or restore, and for other parameters than those of its list.
 */
function openCursor(owner: CursorOwner, cursor: string, query: ReportQuery): ListPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.toString('utf8', sealBytes);
  const seal = bytes.subarray(0, sealBytes);
  const isWhole = seal.length === sealBytes && bytes.toString('base64url') === cursor;
  if (!isWhole || !timingSafeEqual(seal, sealOf(owner, text))) throw new Refusal(unknownCursor);
  const place = JSON.parse(text) as ListPlace;
  const fault = checkBesideCursor(query, place);
  if (fault !== null) throw new Refusal(fault);
  return place;
}

function sealOf({ tppId, resourceId, state }: CursorOwner, text: string): Buffer {
  const sealed = JSON.stringify([version, tppId, resourceId, text]);
  return createHmac('sha256', state.list_key).update(sealed).digest().subarray(0, sealBytes);
}

const unknownCursor = {
  code: 'PARAMETER_NOT_CONSISTENT',
  path: 'cursor',
  text:
    'No list of this account and this TPP has this cursor. Use `_links.next` unchanged. A reset, an initialize or a restore ends every ' +
    'cursor.',
} as const;
