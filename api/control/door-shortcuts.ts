import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import type { Bank } from '../../engine/bank.ts';
import { changesIds } from '../../engine/bank/rules/quirk.ts';
import { latestMade } from '../../engine/sandbox-data/psus.ts';
import { oneLine } from '../../engine/values/text.ts';
import { orRefusal, Refusal } from '../../engine/values/fault.ts';
import { redirectAddress } from '../interface/redirect-address.ts';

/* Shortcuts of the unsigned door (docs/spec/control-plane.md C18): the word `latest`, and an approval within the call. */

/**
 * The id of the latest payment or basket that this TPP made at `payments/{product}`, `payment` (any payment) or `signing-baskets`; null:
 * none. `unsigned`: of payments that wait for a signature only.
 */
async function latestAt(bank: Bank, tppId: string, at: string, unsigned: boolean): Promise<string | null> {
  const id = await latestMade(bank, tppId, { at, unsigned });
  if (id === undefined || !changesIds(bank.quirks)) return id ?? null;
  const { wireIdsOf } = await import('../habits/encrypted-ids.ts');
  // Baskets have the form of payments.
  return (await wireIdsOf(bank)).show('payment', id);
}

/** The target with the id in the place of `latest`: `/v1/payments/{product}/latest/status`. Another target stays as it is. */
export async function withLatestInPath(bank: Bank, tppId: string, target: string): Promise<string> {
  const [, at] = /^\/v1\/((?:\w+-)?payments\/[^/?]+|payment|signing-baskets)\/latest(?=[/?]|$)/.exec(target) ?? [];
  const id = at === undefined ? null : await latestAt(bank, tppId, at, /\/authorisations(?=\?|$)/.test(target));
  return id === null ? target : target.replace('/latest', () => `/${encodeURIComponent(id)}`);
}

/** The body of a new basket with the id of the latest payment in the place of `latest`. */
export async function withLatestInBody(bank: Bank, tppId: string, body: Uint8Array): Promise<Buffer> {
  const [bytes, text] = [Buffer.from(body), Buffer.from(body).toString()];
  const id = text.includes('"latest"') ? await latestAt(bank, tppId, 'payment', true) : null;
  return id === null ? bytes : Buffer.from(text.replaceAll('"latest"', () => JSON.stringify(id)));
}

/**
 * Lets the PSU whom Sandbank-Approve names approve the SCA that the answer leads to, before the answer is sent. Sandbank-Approved of the
 * answer is the redirect to the TPP, or says why the PSU could not approve. `log` gets failures of the bank itself.
 */
export function approveAtOnce(bank: Bank, log: Logger, { headers }: Request, response: Response): void {
  const psu = headers['sandbank-approve'];
  if (typeof psu !== 'string' || psu === '') return;
  const context = headers['psu-context'] === 'CORPORATE' ? 'CORPORATE' : 'PRIVATE';
  const agreement = context === 'PRIVATE' ? null : String(headers['psu-corporate-id'] ?? '') || null;
  const end = response.end.bind(response) as (...given: unknown[]) => Response;
  const approve = async (scaId: string): Promise<void> => {
    const given = { outcome: 'approve', psu, context, agreement, accounts: null } as const;
    const result = await orRefusal(finishSca(bank, scaId, given));
    const said = result instanceof Refusal ? result.faults[0].text : redirectAddress(result);
    response.set('Sandbank-Approved', oneLine(said).replaceAll(/[^\x20-\x7E]/g, '?'));
  };
  response.end = (...given: unknown[]) => {
    const [, scaId] = /"scaRedirect":\{"href":"[^"?]*\/sca\/([\w-]+)/.exec(String(given[0] ?? '')) ?? [];
    if (scaId === undefined) return end(...given);
    approve(scaId).then(
      () => end(...given),
      (error: unknown) => {
        log.error({ err: error }, 'an approval at the door failed');
        response.set('Sandbank-Approved', 'The bank could not carry out the approval.');
        end(...given);
      },
    );
    return response;
  };
}
