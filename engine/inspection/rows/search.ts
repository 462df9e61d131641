import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { isBooked, transactionNumber } from '../../accounts/rows/entries.ts';
import { countIn } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Instant } from '../../values/instant.ts';
import { epochDay, type LocalDate } from '../../values/local-date.ts';
import { type Currency, minorUnits, readWritten, type WrittenAmount } from '../../values/money.ts';

export interface FoundPayment {
  readonly paymentId: string;
  /** Null for a bulk payment, and where none was sent. */
  readonly creditorName: string | null;
  /** The holder of the debtor account. */
  readonly debtorName: string;
}

export interface FoundAccount {
  /** The BBAN or, for an account without one, the IBAN. */
  readonly number: string;
  readonly name: string;
  readonly ownerName: string;
}

export interface FoundCustomer {
  readonly number: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
}

/** A booked entry of a customer's account. */
export interface FoundEntry {
  readonly transactionNumber: number;
  /** The number of its account. */
  readonly number: string;
  /** The other side, or what it is about. */
  readonly text: string;
  /** Credit positive, debit negative. */
  readonly minor: bigint;
  readonly currency: Currency;
  readonly bookingDate: LocalDate;
}

/** The beginning of each payment's id, which the pages leave out. */
const idPrefix = 'enc!!';

/**
 * Payments by the beginning of their id, by a creditor's number or name, by an instructed amount, and those that fulfil
 * the condition on `p`; the newest first.
 */
export async function paymentsNamed(
  reader: Reader,
  text: string,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<FoundPayment[]> {
  const id = begins(text.startsWith(idPrefix) ? text.slice(idPrefix.length) : text, { isExact: true });
  const { rows } = await sql<FoundPayment>`
    select p.resource_id as paymentId, i.body ->> '$.creditorName' as creditorName, holder.name as debtorName
    from payment p join payment_initiation i on i.payment_id = p.id
      join customer holder on holder.id = p.customer_id
    where p.resource_id glob ${idPrefix + id} or p.resource_id glob ${id} or i.body ->> '$.creditorName' glob ${contains(text)}
      or p.id in (select t.payment_id from credit_transfer t where t.creditor_number = ${withoutGaps(text)})
      or ${condition} ${ofAmount(text)}
    order by ${countIn('p')} desc limit ${limit}`.execute(reader);
  return rows;
}

/** A currency or kroner before or after an amount, its sign, and the comma of whole kroner: `kr 1 000,-`. */
const shownAmount = /^(?:(kr\.?|[a-z]{3}) ?)?[-\u2212]?(\d[\d\s.,']*?)(?:[.,]-?)?(?: ?(kr\.?|[a-z]{3}))?$/i;

/**
 * The readings of a text as an amount, at most 13 digits and three of a fraction, and the currency that it names. None:
 * it is no amount.
 */
function amountsIn(text: string): { readonly currency: string; readonly readings: readonly WrittenAmount[] } {
  const [, before, digits = '', after] = shownAmount.exec(text) ?? [];
  if (before !== undefined && after !== undefined) return { currency: '', readings: [] };
  const unit = (before ?? after ?? '').toUpperCase();
  const readings = readWritten(digits).filter(({ whole, fraction }) => whole.length <= 13 && fraction.length <= 3);
  return { currency: /^KR\.?$/.test(unit) ? 'NOK' : unit, readings };
}

/**
 * The condition for payments of this instructed amount, or bulk payments with such a transfer; empty if the text is no
 * amount. Digits alone match every amount with this whole part, and a currency only amounts in it.
 */
function ofAmount(text: string): RawBuilder<unknown> {
  const { currency, readings } = amountsIn(text);
  const conditions = readings.map(({ whole, fraction }) => {
    const type = sql.raw(fraction === '' ? 'integer' : 'real');
    const isOf = (body: string): RawBuilder<unknown> => {
      const [amount, own] = ['amount', 'currency'].map(
        (member) => sql`${sql.ref(body)} ->> ${`$.instructedAmount.${member}`}`,
      );
      return sql`(cast(${amount} as ${type}) = ${Number(`${whole}.${fraction}`)} and ${currency} in ('', ${own}))`;
    };
    return sql`or ${isOf('i.body')} or p.id in (select t.payment_id from credit_transfer t where ${isOf('t.initiation')})`;
  });
  return sql.join(conditions, sql` `);
}

/**
 * Booked entries of open accounts by a part of what they are about, by their amount without its sign, as {@link
 * paymentsNamed} takes one, or by their day; the last posted first.
 */
export async function entriesNamed(
  reader: Reader,
  { text, day, now }: { readonly text: string; readonly day: LocalDate | null; readonly now: Instant },
  limit: number,
): Promise<FoundEntry[]> {
  const wanted = contains(text);
  const about = (body: string, ...members: readonly string[]): RawBuilder<SqlBool> =>
    sql`(${sql.join(
      members.map((member) => sql`${sql.ref(body)} ->> ${`$.${member}`} glob ${wanted}`),
      sql` or `,
    )})`;
  const isTransaction = sql`(entry.direct_posting_id is null or exists (select 1 from direct_posting p
    where p.id = entry.direct_posting_id and p.kind = 'transaction' and p.reversed_by is null))`;
  // Each reads its table from the end, and stops at the limit.
  const found = (from: RawBuilder<unknown>, key: string, condition: RawBuilder<SqlBool>) => sql`
    select * from (select entry.id from ${from} cross join account a on a.id = entry.account_id
      where a.kind = 'customer' and a.closed_at is null and ${isBooked(now)} and ${isTransaction} and ${condition}
      order by ${sql.ref(key)} desc limit ${limit})`;
  const entryOf = sql`cross join entry on entry.execution_id = x.id`;
  const ofPosting = sql`direct_posting d cross join entry on entry.direct_posting_id = d.id`;
  const ofPayment = sql`payment_initiation i cross join execution x on x.payment_id = i.payment_id ${entryOf}`;
  const ofItem = sql`credit_transfer t cross join execution x on x.payment_id = t.payment_id and x.sequence = t.sequence ${entryOf}`;
  const parts = [
    found(ofPosting, 'd.id', about('d.details', 'remittanceInformationUnstructured', 'creditorName', 'debtorName')),
    found(ofPayment, 'i.payment_id', about('i.body', 'creditorName', 'remittanceInformationUnstructured')),
    found(ofItem, 't.payment_id', about('t.initiation', 'creditorName', 'remittanceInformationUnstructured')),
    ...(await boundsOf(reader, text)).map(({ currency, least, most }) =>
      found(
        sql`entry`,
        'entry.id',
        sql`a.currency = ${currency} and abs(entry.amount_minor) between ${least} and ${most}`,
      ),
    ),
    ...(day === null ? [] : [found(sql`entry`, 'entry.id', sql`entry.booking_day = ${epochDay(day)}`)]),
  ];
  const { rows } = await sql<FoundEntry>`
    select ${transactionNumber} as transactionNumber, coalesce(a.bban, a.iban, a.name) as number, a.currency,
      entry.amount_minor as minor, entry.booking_date as bookingDate,
      coalesce(
        iif(entry.amount_minor < 0, coalesce(t.initiation ->> '$.creditorName', i.body ->> '$.creditorName',
          d.details ->> '$.creditorName'), coalesce(holder.name, d.details ->> '$.debtorName')),
        d.details ->> '$.remittanceInformationUnstructured', d.details ->> '$.additionalInformation', '') as text
    from entry join account a on a.id = entry.account_id
      left join direct_posting d on d.id = entry.direct_posting_id
      left join execution x on x.id = entry.execution_id
      left join payment_initiation i on i.payment_id = x.payment_id
      left join credit_transfer t on t.payment_id = x.payment_id and t.sequence = x.sequence
      left join account debtor on debtor.id = x.debtor_account_id
      left join customer holder on holder.id = debtor.customer_id
    where entry.id in (${sql.join(parts, sql` union `)})
    order by entry.id desc limit ${limit}`.execute(reader);
  return rows;
}

/** The amounts that a text names, in minor units of each currency of an account. */
async function boundsOf(reader: Reader, text: string) {
  const { currency: named, readings } = amountsIn(text);
  if (readings.length === 0) return [];
  const currencies = await reader.selectFrom('account').select('currency').distinct().execute();
  return currencies
    .filter(({ currency }) => named === '' || named === currency)
    .flatMap(({ currency }) =>
      readings.flatMap(({ whole, fraction }) => {
        const digits = minorUnits(currency);
        const [least, rest] = [fraction.slice(0, digits).padEnd(digits, '0'), fraction.slice(digits)];
        if (/[1-9]/.test(rest)) return [];
        const most = fraction === '' ? '9'.repeat(digits) : least;
        return [{ currency, least: withoutSign(whole + least), most: withoutSign(whole + most) }];
      }),
    );
}

function withoutSign(digits: string): bigint {
  return BigInt(digits.replace('-', ''));
}

/**
 * Open accounts of customers by the beginning of their number, or by a part of their name or their owner's; the oldest
 * first.
 */
export async function accountsNamed(reader: Reader, text: string, limit: number): Promise<FoundAccount[]> {
  const [number, name] = [begins(withoutGaps(text)), contains(text)];
  const { rows } = await sql<FoundAccount>`
    select coalesce(a.bban, a.iban, a.name) as number, a.name, owner.name as ownerName
    from account a join customer owner on owner.id = a.customer_id
    where a.kind = 'customer' and a.closed_at is null
      and (a.bban glob ${number} or a.iban glob ${number} or a.name glob ${name} or owner.name glob ${name})
    order by a.id limit ${limit}`.execute(reader);
  return rows;
}

/** Customers by their whole number, or by a part of their name; the oldest first. */
export async function customersNamed(reader: Reader, text: string, limit: number): Promise<FoundCustomer[]> {
  const { rows } = await sql<FoundCustomer>`
    select c.customer_number as number, c.name, c.type from customer c
    where c.deleted_at is null and (c.customer_number = ${withoutGaps(text)} or c.name glob ${contains(text)})
    order by c.id limit ${limit}`.execute(reader);
  return rows;
}

/** Account numbers are written with blanks or dots between their digits. */
function withoutGaps(text: string): string {
  return text.replaceAll(/[\s.]/g, '');
}

/** The pattern of `glob` for texts that contain this one. */
function contains(text: string): string {
  return `*${begins(text)}`;
}

/** The same for texts that begin with it. `isExact`: capital letters are others than small ones. */
function begins(text: string, { isExact = false } = {}): string {
  const each = [...text].map((letter) => {
    if ('*?['.includes(letter)) return `[${letter}]`;
    const [small, large] = [letter.toLowerCase(), letter.toUpperCase()];
    return isExact || small === large ? letter : `[${small}${large}]`;
  });
  return `${each.join('')}*`;
}
