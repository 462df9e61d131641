import { type Quirk, quirkNames } from '../../engine/bank/rules/quirk.ts';
import { osloDate, type Instant } from '../../engine/values/instant.ts';
import type { Replayed } from './replay.ts';

/** A difference with the endpoint that it was at, as the table below reads it: `form transactions.booked[].transactionId /accounts/...`. */
type Sign = string;

const at =
  (kind: RegExp, path: RegExp) =>
  (sign: Sign): boolean =>
    kind.test(sign) && path.test(sign);
const statusOf = (path: RegExp): ((sign: Sign) => boolean) => at(/^(?:status|code) /, path);

/** The differences that each quirk may explain, and the values to try; without values it takes none. Other quirks shape no answer. */
const table: Partial<
  Record<
    Quirk,
    { readonly explains: (sign: Sign) => boolean; readonly values?: (all: readonly Replayed[]) => readonly string[] }
  >
> = {
  'status-before-approval': { explains: statusOf(/payment/) },
  'december-month': { explains: statusOf(/periodic-payments/) },
  'bban-mod11': { explains: statusOf(/payments/) },
  'pending-filtered': { explains: at(/^(?:extra|absent) /, /pending\[\]/) },
  'lenient-headers': { explains: statusOf(/periodic-payments/) },
  'id-lengths': { explains: at(/^(?:form|link) /, /(?:Id|\bid|Ids\[\]|href) /), values: lengths },
  'reissued-ids': { explains: at(/^(?:changed|status) /, /transaction/i), values: (all) => [...spans(all), 'session'] },
  'pending-dates': { explains: at(/./, /pending/), values: () => ['booking', 'both', 'none'] },
  'pending-members': { explains: at(/./, /pending/), values: () => ['bare'] },
  'rewritten-texts': { explains: at(/^(?:changed|form) /, /remittance|transactionDetails/), values: spans },
  'text-forms': {
    explains: at(/./, /remittance|transactionDetails|originalAmount|currencyExchange/),
    values: () => ['bien', 'sr'],
  },
  'structured-references': {
    explains: at(/./, /remittanceInformationStructured/),
    values: () => ['strings', 'joined', 'objects'],
  },
  'bank-codes': { explains: at(/./, /ankTransactionCode/), values: () => ['iso', 'proprietary', 'none'] },
  counterparty: {
    explains: at(/^absent |^extra /, /creditor|debtor|cardAcceptor|ultimate/i),
    values: () => ['transfers'],
  },
  order: { explains: at(/^(?:order|changed|link) /, /./), values: () => ['posting'] },
  'no-next-link': { explains: at(/^link /, /_links\.next/) },
  'full-history': { explains: statusOf(/transactions/), values: () => ['PT1H', 'PT1M', 'PT24H'] },
  'consent-days': { explains: statusOf(/account/), values: days },
  'details-days': { explains: statusOf(/transactions\/:transactionId/), values: days },
  'revoked-403': { explains: statusOf(/account/) },
  'no-cards-404': { explains: statusOf(/card-accounts/) },
  'fee-indicator': { explains: at(/^value /, /transactionFeeIndicator/) },
  'no-status-in-details': { explains: at(/^absent /, /transactionStatus/) },
  'plain-json': { explains: at(/^header /, /content-type/) },
  'accept-fix-dates': { explains: at(/./, /cardTransactions|\.name /), values: changes },
  'own-accounts-at-once': { explains: atOnce, values: (all) => (isEarlier(all) ? [''] : []) },
  'same-bank-at-once': { explains: atOnce, values: (all) => (isEarlier(all) ? ['all', 'without-kid'] : []) },
  'card-value-dates': { explains: at(/^(?:value|order) /, /booked\[\]/) },
  'weekend-values': { explains: at(/^(?:value|order) /, /booked\[\]/) },
  'month-end-bookings': { explains: at(/^value /, /booked\[\]\.\w+Date /) },
  'status-lag': { explains: at(/./, /transactionStatus/), values: () => ['PT26S', 'PT1M', 'PT10M', 'PT1H', 'P1D'] },
};

function atOnce(sign: Sign): boolean {
  return /^value transactionStatus \/payments/.test(sign);
}

/** Whether a payment was settled when ours waits for a run. */
function isEarlier(all: readonly Replayed[]): boolean {
  return all
    .flatMap(({ differences }) => differences)
    .some(({ recorded, replayed }) => recorded === 'ACSC' && (replayed === 'ACSP' || replayed === 'PDNG'));
}

/**
 * The quirks that may explain differences, each with the values to try, as `--quirks` takes them: `reissued-ids=P1D`. `on`: those that are on,
 * which may be wrong and are tried without: `-order`.
 */
export function quirkGuesses(all: readonly Replayed[], on: readonly string[]): readonly (readonly string[])[] {
  const signs = all.flatMap(({ exchange, differences }) =>
    differences.map(({ kind, path }) => `${kind} ${path} ${exchange.endpoint ?? ''}`),
  );
  return quirkNames.flatMap((name) => {
    const entry = table[name];
    if (entry === undefined || !signs.some(entry.explains)) return [];
    const { values: valuesOf = alone } = entry;
    const values = valuesOf(all).map((value) => (value === '' ? name : `${name}=${value}`));
    const others = values.filter((text) => !on.includes(text));
    const isOn = on.some((text) => text.split('=')[0] === name);
    return [isOn ? [...others.filter((text) => text !== name), `-${name}`] : others];
  });
}

/** The one value of a quirk that takes none. */
function alone(): readonly string[] {
  return [''];
}

/** The lengths of the recorded ids of each kind. */
function lengths(all: readonly Replayed[]): readonly string[] {
  const found = new Map<string, string>();
  let isPadded = false;
  for (const { kind, path, recorded } of all.flatMap(({ differences }) => differences)) {
    const name = path.split('.').at(-1) ?? '';
    const of = /^transactionId$/.test(name)
      ? 'transaction'
      : /^paymentIds?(?:\[\])?$/.test(name)
        ? 'payment'
        : 'resource';
    if (kind !== 'form' || typeof recorded !== 'string' || !/^enc!!/.test(recorded)) continue;
    found.set(of, `${of}:${recorded.length}`);
    isPadded ||= recorded.endsWith('=');
  }
  if (found.size === 0) return [];
  const parts = ['transaction', 'payment', 'resource'].flatMap((kind) => found.get(kind) ?? []);
  return isPadded ? [parts.join('/')] : [[...parts, 'unpadded'].join('/'), 'unpadded', parts.join('/')];
}

/** The longest first: of those that explain a recording equally well, the first is told. */
const usualSpans = [
  [90 * 86_400_000, 'P90D'],
  [60 * 86_400_000, 'P60D'],
  [30 * 86_400_000, 'P30D'],
  [7 * 86_400_000, 'P7D'],
  [86_400_000, 'P1D'],
  [3_600_000, 'PT1H'],
] as const;

/** Times that the recording has room for. */
function spans(all: readonly Replayed[]): readonly string[] {
  const [first, last] = [all[0], all.at(-1)].map((one) => one?.exchange.at ?? 0);
  const room = (last ?? 0) - (first ?? 0) + 86_400_000;
  return usualSpans.filter(([ms]) => ms <= room).map(([, text]) => text);
}

/** The days after which a consent had lapsed, and the numbers that banks have. */
function days(all: readonly Replayed[]): readonly string[] {
  const [first, last] = [all[0], all.at(-1)].map((one) => one?.exchange.at ?? 0);
  const most = Math.floor(((last ?? 0) - (first ?? 0)) / 86_400_000);
  return ['90', '30', '60', '120', String(most - 1), '1'].filter(
    (text) => Number(text) >= 1 && Number(text) <= Math.min(180, most),
  );
}

/** A change of `x-accept-fix` that a day of the recording, or a later day, makes the default. */
function changes(all: readonly Replayed[]): readonly string[] {
  const dates = [...new Set(all.map(({ exchange }) => osloDate(exchange.at as Instant)))].slice(0, 20);
  return ['2099-12-31', ...dates].flatMap((date) => [`card-amounts:${date}`, `longer-names:${date}`]);
}
