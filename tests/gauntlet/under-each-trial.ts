import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBank, type Bank } from '../../api/harness/index.ts';

/*
 * A program: opens a bank under each of some trials, and lives a month in it as a patient client does. Prints for each trial whether the books
 * balance and how many payments there are, as JSON. Its words are a folder for the files of the trials, and their names.
 */

const [, , folder = '', ...names] = process.argv;
const told: Record<string, unknown> = {};
for (const name of names) {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'trial.json'), JSON.stringify({ version: 1, trial: name, late: 'PT0.1S' }));
  process.env['SANDBANK_TRIAL'] = join(own, 'trial.json');
  await using bank = await createBank({ life: { '09232911044': 'student' } });
  const paid = await live(bank);
  const { ok } = (await (await bank.fetch('/sandbox/ledger/proof')).json()) as { readonly ok: boolean };
  const { total } = (await (await bank.fetch('/sandbox/payments')).json()) as { readonly total: number };
  told[name] = { ok, paid, total };
}
console.log(JSON.stringify(told));

/** Pays and reads by calls of a client that sends a call again, with the same X-Request-ID, until it is answered. Returns the number paid. */
async function live(bank: Bank): Promise<number> {
  const tpp = bank.tpp();
  let paid = 0;
  const patient = async (path: string, sent: Parameters<typeof tpp.fetch>[1] = {}): Promise<unknown> => {
    const headers = { ...sent.headers, 'x-request-id': crypto.randomUUID() };
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await tpp.fetch(path, { ...sent, headers }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (answer?.ok === true && text?.startsWith('{')) {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          // Cut in its middle.
        }
      }
    }
    return null;
  };
  for (const amount of ['1.00', '2.00']) {
    const account = (bban: string) => ({ bban, currency: 'NOK' });
    const body = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount: account('09232911044'),
      creditorAccount: account('95360573002'),
      creditorName: 'Company 123',
    };
    const order = {
      method: 'POST' as const,
      headers: { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' },
      body,
    };
    const made = (await patient('/v1/payments/norwegian-domestic-credit-transfers', order)) as {
      readonly _links: { readonly scaRedirect: { readonly href: string } };
    } | null;
    if (made === null) continue;
    paid += 1;
    await bank
      .psu('13039319955')
      .approve(made._links.scaRedirect.href)
      .catch(() => null);
  }
  await tpp.pay({ from: '09232911044', to: '74712699947', amount: '3.00' }).catch(() => null);
  await bank.clock.advance('P31D');
  return paid;
}
