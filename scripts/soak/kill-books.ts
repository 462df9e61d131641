import { openLedger } from '../../engine/ledger/database.ts';
import { brokenProofs } from '../../lab/proof.ts';
import { rowsOf } from '../../lab/rows.ts';
import { Violation } from './campaign.ts';

/** Queries that must return no rows: runs out of order, initiations stored twice. */
const checks = {
  'runs after the last one passed': `select date, number from settlement_run
    where at > (select last_run_at from bank_state)`,
  'runs whose attempts are not what they counted': `select r.date, r.number from settlement_run r
    left join attempt a on a.run_date = r.date and a.run_number = r.number group by r.date, r.number
    having sum(a.outcome is 'settle') <> r.settled or sum(a.outcome is 'retry') <> r.retried
      or sum(a.outcome is 'reject') <> r.rejected`,
  'attempts that are not in the order of their runs': `select one.execution_id from attempt one
    join attempt later on later.execution_id = one.execution_id and later.number > one.number
    where (later.run_date, later.run_number) <= (one.run_date, one.run_number)`,
  'initiations that were kept twice': `select mark from (select substr(body, instr(body, 'mark-'),
      instr(substr(body, instr(body, 'mark-')), '.')) as mark from payment_initiation where instr(body, 'mark-') > 0)
    group by mark having count(*) > 1`,
  'bulk payments that were kept twice': `select mark from (select substr(initiation, instr(initiation, 'mark-'),
      instr(substr(initiation, instr(initiation, 'mark-')), '.')) as mark
      from credit_transfer where instr(initiation, 'mark-') > 0) group by mark having count(*) > 1`,
} as const;

/** Checks the books of a ledger by SQL of the tests, while the server has it open. */
export async function holdBooks(path: string): Promise<void> {
  const ledger = await openLedger(path);
  try {
    const broken: Record<string, unknown> = { ...(await brokenProofs({ ledger })) };
    await ledger.read(async (reader) => {
      for (const [name, statement] of Object.entries(checks)) {
        const rows = await rowsOf(reader, statement);
        if (rows.length > 0) broken[name] = rows;
      }
    });
    if (Object.keys(broken).length > 0) throw new Violation(`the books are broken: ${asText(broken)}`);
  } finally {
    await ledger.close();
  }
}

function asText(broken: object): string {
  return JSON.stringify(broken, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).slice(
    0,
    2_000,
  );
}
