import { sql, type Kysely } from 'kysely';

/**
 * The first answer is kept for each call that makes something, not for initiations alone: under its path, with what it made. Of
 * earlier initiations the query is not known. Beside it, what the due day needs: the last one that was told, and when a
 * status was forced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table first_answer (
    tpp_id text not null,
    method text not null,
    path text not null,
    request_id text not null,
    query text,
    content text not null,
    answer text not null,
    payment_id integer references payment (id),
    basket_id integer references signing_basket (id),
    sca_resource_id text references sca (resource_id),
    check ((payment_id is not null) + (basket_id is not null) + (sca_resource_id is not null) = 1),
    primary key (tpp_id, method, path, request_id)
  ) strict, without rowid`.execute(db);
  await sql`insert into first_answer (tpp_id, method, path, request_id, content, answer, payment_id)
    select tpp_id, 'POST', '/' || substr(fingerprint, 1, instr(fingerprint, ' ') - 1), request_id,
      substr(fingerprint, instr(fingerprint, ' ') + 1), answer, payment_id
    from initiation_answer order by tpp_id, request_id`.execute(db);
  await sql`drop table initiation_answer`.execute(db);
  await sql`alter table bank_state add column due_told text`.execute(db);
  await sql`alter table payment add column forced_at integer`.execute(db);
}
