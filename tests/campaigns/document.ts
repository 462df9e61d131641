import { listedProfiles } from '../../api/start/profile.ts';
import { isProblem, noQuirks, quirkNames, choiceOf, switched } from '../../engine/bank/rules/quirk.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { crossBorderPayment, productPath, sepaPayment } from '../lab/products.ts';
import { psuHeaders, startTestBank, type TestBank } from '../lab/server.ts';
import { type ChangeDocument, CheckedClient } from '../support/checked-client.ts';
import { type Campaign, demand, type Search } from './campaign.ts';
import { withOddJson } from './odd-values.ts';
import { chosen } from './quirks.ts';

const begin = '2027-03-24T12:00:00+01:00';

/** Banks under a profile, one quirk or several, in turn: what they answer and take fits the document that they serve (rules.md E10). */
export const document: Campaign<ChangeDocument> = async (search, change) => {
  const profiles = (await listedProfiles()).filter(({ quirks }) => Object.keys(quirks).length > 0);
  await search.each(async (index) => {
    const profile = index % 3 === 0 ? profiles[(index / 3) % profiles.length] : undefined;
    const flags = profile === undefined ? ['--quirks', anyQuirks(search, index)] : ['--profile', profile.id];
    await using bank = await startTestBank(begin, flags);
    const client = new CheckedClient(bank, change);
    await talk(bank, client, search.random);
    search.tallyAll(client.counts);
    demand(client.faults.length === 0, `${flags.join(' ')}: ${client.faults[0]}`);
  });
};

/** 42 characters: 34 in groups of four. */
const longestIban = 'XC80 1212 0123 4567 8906 0000 0000 0000 00';

const payments = [
  [singlePath, singlePayment()],
  [productPath('straks'), singlePayment()],
  [productPath('sepa'), sepaPayment()],
  [productPath('crossBorder'), crossBorderPayment()],
  [periodicPath, periodicPayment({ frequency: 'MonthlyVariable', monthsOfExecution: [2, 5], dayOfExecution: '12' })],
  [bulkPath, bulkPayment([bulkItem('20.00'), bulkItem('9000000.00')])],
] as const;

/** The body with an IBAN as people write it: in groups, or with blanks and small letters anywhere (rules.md P5d). */
function withOddIban(random: Search['random'], body: object): object {
  const { creditorAccount, ...rest } = body as { readonly creditorAccount?: { readonly currency: string } };
  const anyhow = Array.from(random.pick(['NO9386011117947', 'DE89370400440532013000', longestIban]), (sign) =>
    random.pick([...Array.from({ length: 12 }, () => sign), `${sign} `, sign.toLowerCase()]),
  );
  const iban = random.below(2) === 0 ? longestIban : anyhow.join('');
  const noNumber = random.below(3) === 0 && { bban: '' };
  return { ...rest, creditorAccount: { iban, currency: creditorAccount?.currency ?? 'NOK', ...noNumber } };
}

/** Each quirk in turn, then several, with any values that go together. */
function anyQuirks({ random }: Search, index: number): string {
  const alone = quirkNames[Math.floor(index / 3) % quirkNames.length] ?? 'order';
  const names = index % 3 === 1 ? [alone] : quirkNames.filter(() => random.below(4) === 0);
  const amounts = `accept-fix-dates=amount-as-string:2027-03-${20 + random.below(10)}`;
  const list = names
    .map((name) => (name === 'accept-fix-dates' ? amounts : chosen(random, name, begin.slice(0, 10))))
    .join();
  return isProblem(switched(noQuirks, choiceOf(list))) ? anyQuirks({ random } as Search, index) : list;
}

/** Reads, pays, sends changed bodies, and reads again later. */
async function talk(bank: TestBank, client: CheckedClient, random: Search['random']): Promise<void> {
  const { _links: offered } = (await client.ask('POST', '/v1/bank-offered-consents')) ?? {};
  const redirect = offered === undefined ? null : await bank.approve({ _links: offered });
  const headers = { 'psu-id': redirect?.searchParams.get('psu-id') ?? null };
  const made: string[] = [];
  for (const [path, body] of payments) {
    const { paymentId = 'none', _links: links } = (await client.ask('POST', path, psuHeaders(), body)) ?? {};
    if (links?.scaRedirect !== undefined && random.below(3) > 0) await bank.approve({ _links: links });
    made.push(`${path}/${paymentId}`);
    for (let changed = 0; changed < 2; changed += 1)
      await client.ask('POST', path, psuHeaders(), withOddJson(random, body));
    if (!path.startsWith('/v1/bulk')) await client.ask('POST', path, psuHeaders(), withOddIban(random, body));
  }
  for (const by of ['PT1H', 'P2D', 'P30D']) {
    for (const path of made.flatMap((each) => [each, `${each}/status`])) await client.ask('GET', path);
    await readAll(client, headers, 1 + random.below(5));
    await bank.advance({ by });
  }
  await client.ask('POST', `${made[0]}/authorisations`, psuHeaders());
  for (const path of made.slice(0, 3)) await client.ask('DELETE', path);
}

async function readAll(client: CheckedClient, headers: Readonly<Record<string, string | null>>, limit: number) {
  const { accounts = [] } = (await client.ask('GET', '/v1/accounts?withBalance=true', headers)) ?? {};
  const { cardAccounts = [] } = (await client.ask('GET', '/v1/card-accounts', headers)) ?? {};
  for (const { _links: links } of [...accounts.slice(0, 2), ...cardAccounts.slice(0, 1)]) {
    const { href } = links.self;
    await client.ask('GET', links.balances.href, headers);
    const list = await client.ask('GET', `${href}/transactions?limit=${limit}`, headers);
    const { transactionId } = list?.transactions?.booked?.[0] ?? {};
    if (transactionId !== undefined) await client.ask('GET', `${href}/transactions/${transactionId}`, headers);
  }
}
