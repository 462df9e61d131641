import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { countIn } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import { readWritten } from '../../values/money.ts';

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
 * The condition for payments of this instructed amount, or bulk payments with such a transfer; empty if the text is no
 * amount. Digits alone match every amount with this whole part, and a currency only amounts in it.
 */
function ofAmount(text: string): RawBuilder<unknown> {
  const [, before, digits = '', after] = shownAmount.exec(text) ?? [];
  const read = before !== undefined && after !== undefined ? null : readWritten(digits);
  if (read === null || read.whole.length > 13 || read.fraction.length > 3) return sql``;
  const unit = (before ?? after ?? '').toUpperCase().replace(/^KR\.?$/, 'NOK');
  const type = sql.raw(read.fraction === '' ? 'integer' : 'real');
  const isOf = (body: string): RawBuilder<unknown> => {
    const [amount, own] = ['amount', 'currency'].map(
      (member) => sql`${sql.ref(body)} ->> ${`$.instructedAmount.${member}`}`,
    );
    return sql`(cast(${amount} as ${type}) = ${Number(`${read.whole}.${read.fraction}`)} and ${unit} in ('', ${own}))`;
  };
  return sql`or ${isOf('i.body')} or p.id in (select t.payment_id from credit_transfer t where ${isOf('t.initiation')})`;
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
