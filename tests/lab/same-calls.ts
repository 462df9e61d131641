import type { Bank } from '../../api/harness/index.ts';
import { bulkItem, bulkPath, bulkPayment, periodicPath, periodicPayment, singlePath, singlePayment } from './bodies.ts';
import type { Seeded } from './seeded.ts';

/*
 * The same calls to banks that shall behave alike. Only the addresses of calls are mapped: a payment and an SCA have a place in the order of
 * their making, and each bank its own id for it.
 */

/** A bank, and its ids in the order of their making. */
export interface Player {
  readonly bank: Bank;
  readonly payments: string[];
  /** The SCA links that it has told. */
  readonly links: string[];
}

export function playerOf(bank: Bank): Player {
  return { bank, payments: [], links: [] };
}

/** The player of a copy: payments have the ids of the original, SCAs links of their own. */
export function playerOfCopy(copy: Bank, { payments }: Player): Player {
  return { bank: copy, payments: [...payments], links: [] };
}

/** Who pays from which account, by its number. */
const owners = {
  '09232911044': '13039319955',
  '70323119469': '13039319955',
  '34300000012': '01819050062',
  '74712699947': '12085592767',
} as const;
const nora = '13039319955';
const debtors = Object.keys(owners) as (keyof typeof owners)[];
const creditors = ['90491105991', '09232911044', '34300000012', '70323119469', '12345678903'];

type Call = (player: Player) => Promise<string>;

/** Draws the next call. Whatever it answers, refusals too, is its result: without ids, links and their signatures. */
export function drawCall(random: Seeded): Call {
  const [index, days, other] = [random.below(50), random.below(6), random.below(1_000)];
  const [number, target] = [
    random.pick(debtors),
    random.pick([{ by: `PT${other}M` }, { runs: 1 }, { by: `P${days}D` }]),
  ];
  const amount = `${random.pick([1, 20, 300, 9_000, 40_000])}.${String(random.below(100)).padStart(2, '0')}`;
  const money = {
    instructedAmount: { amount, currency: 'NOK' },
    creditorAccount: { bban: random.pick(creditors), currency: 'NOK' },
  };
  const debtor = random.pick(debtors);
  const [owner, debtorAccount] = [owners[debtor], { bban: debtor, currency: 'NOK' }];
  const transfer = { ...money, debtorAccount };
  const psu = random.pick(Object.values(owners));
  const draws: readonly (readonly [weight: number, call: Call])[] = [
    [5, (of) => initiate(of, singlePath, singlePayment(transfer), owner)],
    [
      2,
      async (of) =>
        initiate(of, periodicPath, periodicPayment({ ...transfer, startDate: await dayOf(of, days) }), owner),
    ],
    [
      2,
      (of) =>
        initiate(
          of,
          bulkPath,
          bulkPayment([bulkItem(amount, money), bulkItem('7.00'), bulkItem('8.00')], { debtorAccount }),
          owner,
        ),
    ],
    [6, (of) => answerSca(of, index, psu)],
    [4, (of) => control(of, 'POST', '/clock/advance', target)],
    [1, (of) => control(of, 'POST', `/payments/${paymentOf(of, index)}/reject`, { reason: 'drawn' })],
    [1, (of) => control(of, 'POST', `/payments/${paymentOf(of, index)}/return`, { reason: 'AC04', bankingDays: days })],
    [1, (of) => remove(of, paymentOf(of, index))],
    [1, (of) => basket(of, [paymentOf(of, index)])],
    [1, (of) => control(of, 'POST', '/faults', { code: 'SERVICE_BLOCKED', path: singlePath, times: 1 + (other % 2) })],
    [
      1,
      (of) =>
        control(of, 'PUT', '/quirks', { quirks: { 'plain-json': other % 2 === 0, 'own-accounts-at-once': days > 2 } }),
    ],
    [1, (of) => control(of, 'POST', `/accounts/${number}/top-up`, { amount: { amount, currency: 'NOK' } })],
    [2, (of) => control(of, 'GET', `/payments?limit=20`)],
    [1, (of) => control(of, 'GET', `/accounts/${number}`)],
    [1, (of) => control(of, 'GET', '/forecast?to=P20D')],
    [1, (of) => control(of, 'GET', '/runs')],
  ];
  let at = random.below(draws.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, call] of draws) if ((at -= weight) < 0) return call;
  throw new Error('the weights are counted');
}

/** Gives a bank what its copies have to take over: a household, an open SCA, a basket, a return to come, an armed fault, a run that is due. */
export async function fill(player: Player): Promise<void> {
  const { bank } = player;
  await control(player, 'POST', '/life', { accounts: { shared: '70323119469' }, persona: 'family', months: 1 });
  const tpp = bank.tpp();
  const returned = await tpp.pay({ from: '09232911044', to: '90491105991', amount: '12.00' });
  player.payments.push(returned, await tpp.pay({ from: '09232911044', to: '90491105991', amount: '13.00' }));
  await bank.clock.advance({ until: { paymentId: returned, status: 'ACSC' } });
  await control(player, 'POST', `/payments/${returned}/return`, { reason: 'AC04', bankingDays: 3 });
  await initiate(player, singlePath, singlePayment({ instructedAmount: { amount: '14.00', currency: 'NOK' } }));
  await initiate(player, singlePath, singlePayment({ instructedAmount: { amount: '15.00', currency: 'NOK' } }));
  await basket(player, player.payments.slice(-2));
  await control(player, 'POST', '/faults', { code: 'SERVICE_BLOCKED', path: '/v1/consents', times: 2 });
  await control(player, 'PUT', '/quirks', { quirks: { 'consent-days': '90' } });
  player.payments.push(await tpp.pay({ from: '09232911044', to: '34300000012', amount: '16.00' }));
}

async function initiate(player: Player, path: string, body: object, psu: string = nora): Promise<string> {
  const answer = await player.bank
    .tpp()
    .fetch(path, { method: 'POST', headers: { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' }, body });
  const text = await answer.text();
  const { paymentId, _links = {} } = JSON.parse(text);
  if (paymentId !== undefined) player.payments.push(paymentId);
  if (_links.scaRedirect !== undefined) player.links.push(new URL(_links.scaRedirect.href).pathname);
  return told(answer.status, text);
}

async function basket(player: Player, paymentIds: readonly string[]): Promise<string> {
  const answer = await player.bank.tpp().fetch('/v1/signing-baskets', {
    method: 'POST',
    headers: { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' },
    body: { paymentIds },
  });
  return told(answer.status, await answer.text());
}

async function remove(player: Player, id: string): Promise<string> {
  const answer = await player.bank.tpp().fetch(`${singlePath}/${id}`, { method: 'DELETE' });
  return told(answer.status, await answer.text());
}

/** Approves an open SCA by its place. */
async function answerSca(player: Player, index: number, psu: string): Promise<string> {
  const { scas } = await (await player.bank.fetch('/sandbox/sca')).json<{ scas: readonly { address: string }[] }>();
  const sca = scas[index % Math.max(1, scas.length)];
  if (sca === undefined) return 'no SCA is open';
  const id = new URL(sca.address).pathname.split('/').at(-1);
  return control(player, 'POST', `/sca/${id}`, { outcome: 'approve', psu, context: 'PRIVATE' });
}

function paymentOf({ payments }: Player, index: number): string {
  return payments[index % Math.max(1, payments.length)] ?? 'enc!!none';
}

async function dayOf({ bank }: Player, days: number): Promise<string> {
  const day = new Date(await bank.clock.now());
  day.setUTCDate(day.getUTCDate() + days + 1);
  return day.toISOString().slice(0, 10);
}

/** A call of the control plane. */
export async function control({ bank }: Player, method: string, path: string, body?: object): Promise<string> {
  const answer = await bank.fetch(`/sandbox${path}`, { method, ...(body !== undefined && { body }) });
  return told(answer.status, await answer.text());
}

/** An answer without what each bank draws for itself. */
function told(status: number, text: string): string {
  const mapped = text
    .replaceAll(/"wall":"[^"]*"/g, '"wall"')
    // A copy counts armed faults on from those that it has.
    .replaceAll(/"id":\d+,"code"/g, '"code"')
    .replaceAll(/enc!![\w-]+=*/g, 'ID')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/(?<=[/=])[\w-]{32}(?=[/?"&])/g, 'LINK')
    .replaceAll(/[\w.-]*psu-id=[^"&]*/g, 'PSU');
  return `${status} ${mapped}`;
}
