import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBbanMod11, norwegianIban } from '../../engine/values/account-number.ts';
import { isIdentityNumber } from '../../api/pipeline/identity-numbers.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { HarFile } from '../../scripts/drift/har-file.ts';
import { checkPrivacy } from '../../scripts/drift/privacy.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { spellingsOf, tells } from '../lab/secret-spellings.ts';
import { identityNumber } from '../lab/identity-number.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';

const givenNames = ['Ragnhild', 'Åsmund', 'Torbjørg', 'Siv-Åse', 'Øyvind', 'Guðrún', 'Łukasz', 'Kari'] as const;
const familyNames = ['Fjordholm', 'Bråten', 'Nordgård', 'Skogstad', 'Ødegård', 'Hansen'] as const;
const streets = ['Storgata 117', 'Fjellveien 42b', 'Åsgårdstrandsvegen 9'] as const;

/**
 * Recordings of answers full of personal data, spelled in any way and in any place: nothing of them is left in the file, a value has one stand-in,
 * and `sandbank drift --privacy` finds the data in what was answered, and none in the file.
 */
export const privacy: Campaign = { unit: 'answers', usualCount: 1_000, run };

async function run({ random, each, tally, folder }: Soak): Promise<void> {
  const place = folder();
  await each(async (index) => {
    const one = somebody(random);
    const spelled = spellings(one, random);
    const passed = exchangeWith(one, spelled, random);
    const [file, bare] = [join(place, `${index}.har`), join(place, `${index}-bare.har`)];
    record(file, passed, new StandIns(new Set(), String(random.below(2 ** 31))));
    record(bare, passed, new Kept());
    const text = readFileSync(file, 'utf8');
    const words = [...one.name.split(/[ -]/), ...one.street.split(' ')].filter((word) => word.length > 3);
    for (const secret of [one.number, one.account, one.phone, one.mail, ...words])
      demand(!tells(text, secret), () => `${secret} is left: ${text}`);
    for (const way of spelled) demand(!text.includes(way), () => `${way} is left: ${text}`);
    demandOneStandIn(text, one);
    const [own, theirs] = [checkPrivacy(file), checkPrivacy(bare)];
    demand(own.found.length === 0, () => `found in a recording: ${JSON.stringify(own)}: ${text}`);
    const found = new Set(theirs.found.map(({ what }) => what));
    for (const what of foundInAny)
      demand(found.has(what), () => `${what} was not found in ${readFileSync(bare, 'utf8')}`);
    const shown = JSON.stringify(theirs);
    const isHidden = !shown.includes(one.number) && !words.some((word) => shown.includes(word));
    demand(isHidden, () => `the check shows ${shown}`);
    tally('spellings', spelled.length);
  });
}

/** What each answer has of everybody, by the names of the check. */
const foundInAny = 'an identity number,an account number,a name,a text,an address,an id,an IP address'.split(',');

/** Writes a recording of one exchange. */
function record(file: string, passed: Parameters<HarFile['add']>[0], standIns: StandIns): void {
  const har = new HarFile(file, { version: '1.2', creator: { name: 'a campaign', version: '1' }, _kept: [] }, standIns);
  const problem = har.add(passed);
  har.close();
  demand(problem === null, () => `${file}: not recorded: ${problem ?? ''}`);
}

/** Leaves all as it is. */
class Kept extends StandIns {
  override readonly of = (_: unknown, value: string): string => value;
}

type Somebody = Readonly<ReturnType<typeof somebody>>;

/** Somebody who does not exist, and whose data nothing else has. */
function somebody(random: Seeded) {
  const [given, family] = [random.pick(givenNames), random.pick(familyNames)];
  return {
    number: identityNumber(random),
    account: accountNumber(random),
    name: `${given} ${family}`,
    street: random.pick(streets),
    phone: `9${String(random.below(10_000_000)).padStart(7, '0')}`,
    mail: `${given.toLowerCase()}.${random.below(10_000) + 10_000}@post.example`,
  };
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

function accountNumber(random: Seeded): string {
  for (;;) {
    const number = digits(100_000 + random.below(900_000), 6) + digits(random.below(100_000), 5);
    if (isBbanMod11(number) && number.slice(4, 6) !== '00' && !isIdentityNumber(number)) return number;
  }
}

/** Ways to write the numbers of somebody: with signs between, and escaped or encoded. */
function spellings({ number, account, name, phone }: Somebody, random: Seeded): string[] {
  const iban = norwegianIban(account);
  return [
    number,
    `${number.slice(0, 6)} ${number.slice(6)}`,
    `${number.slice(0, 6)}-${number.slice(6)}`,
    `${number.slice(0, 2)}.${number.slice(2, 4)}.${number.slice(4, 6)} ${number.slice(6)}`,
    [...number].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    ...spellingsOf(number, random).values(),
    `${account.slice(0, 4)}.${account.slice(4, 6)}.${account.slice(6)}`,
    `${account.slice(0, 4)} ${account.slice(4, 6)} ${account.slice(6)}`,
    iban,
    iban.replaceAll(/(.{4})/g, '$1 ').trim(),
    ...spellingsOf(account, random).values(),
    encodeURIComponent(name),
    Buffer.from(`${name};${number}`).toString('base64'),
    `+47 ${phone.slice(0, 3)} ${phone.slice(3, 5)} ${phone.slice(5)}`,
  ];
}

function exchangeWith(one: Somebody, spelled: readonly string[], random: Seeded) {
  const { number, account, name, street, phone, mail } = one;
  const iban = norwegianIban(account);
  const id = `enc!!${Buffer.from(`${account}:${random.below(1_000_000)}`).toString('base64')}`;
  const texts = spelled.map((way) =>
    random.pick([way, `Betaling fra ${way} til deg`, `${name} ${way}`, `12.11 ${way}: ${street}`]),
  );
  const member = (): string =>
    random.pick(['remittanceInformationUnstructured', 'additionalInformation', 'somethingNew', 'reference']);
  const spacedIban = iban.replaceAll(/(.{4})/g, '$1 ').trim();
  const transactionsOf = `https://bank.example/v1/accounts/${encodeURIComponent(id)}/transactions`;
  const ownAccount = {
    resourceId: id,
    bban: account,
    iban: random.pick([iban, spacedIban]),
    ownerName: name,
    name: `${name}s lønnskonto`,
    _links: {
      self: { href: `/v1/accounts/${account}`, verbs: ['GET'] },
      transactions: { href: `${transactionsOf}?iban=${iban}&psu=${number}` },
    },
  };
  const transactionId = (): string => `${number}-${random.below(10_000)}`;
  const unknown = `The account ${account} of "${name}" is unknown: ${random.pick(spelled)}`;
  const answer = {
    accounts: [ownAccount],
    psu: number,
    numeric: Number(number),
    [number]: { [name]: street },
    address: { street, townName: name, postalCode: '0159', email: mail, phone },
    birthDate: '1971-04-13',
    transactions: {
      booked: texts.map((text) => ({ transactionId: transactionId(), [member()]: text, creditorName: name })),
    },
    tppMessages: [{ category: 'ERROR', code: 'X', path: `accounts.${account}`, text: unknown }],
  };
  const json = { 'Content-Type': 'application/json' };
  const sent = {
    ...{ 'X-PSU-IDENTITY': number, 'PSU-ID': `psu-${number}`, 'PSU-IP-Address': '81.166.12.7', 'X-Request-ID': number },
    Authorization: `Bearer ${Buffer.from(number).toString('base64')}`,
    Cookie: `name=${encodeURIComponent(name)}`,
    'TPP-Redirect-URI': `https://${number}.example/${account}?name=${encodeURIComponent(name)}`,
    [number]: mail,
    Accept: `application/json; x=${number}`,
    Signature: `keyId="SN=${number}"`,
    ...json,
  };
  const body = { debtorAccount: { bban: account }, creditorName: name, note: random.pick(spelled) };
  const path = `accounts/${random.pick([account, iban, encodeURIComponent(id)])}/transactions`;
  const query = `psu=${encodeURIComponent(random.pick(spelled))}&${number}=1&dateFrom=2027-01-01`;
  return {
    method: 'GET',
    url: `https://bank.example/api/v1/${path}?${query}`,
    rawHeaders: Object.entries(sent).flat(),
    body: Buffer.from(random.pick([JSON.stringify(body), `${name} ${number}`, ''])),
    status: 200,
    answerHeaders: Object.entries({
      ...json,
      'Set-Cookie': `psu=${number}`,
      Location: `/v1/accounts/${account}?${name}`,
    }).flat(),
    answer: Buffer.from(random.pick([JSON.stringify(answer), JSON.stringify(answer, null, 2), escapedText(answer)])),
    startedAt: Date.UTC(2027, 0, 4, 9) as Instant,
    took: 5,
  };
}

/** JSON whose texts are all escapes. */
function escapedText(value: object): string {
  return JSON.stringify(value).replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => {
    const plain = JSON.parse(`"${text}"`) as string;
    return `"${Array.from({ length: plain.length }, (_each, at) => `\\u${plain.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
  });
}

/** The account has one stand-in, with its register number and its last digit, in its BBAN, its IBAN, its link and the message. */
function demandOneStandIn(text: string, { account }: Somebody): void {
  const { log } = JSON.parse(text) as { log: { entries: { response: { content: { text: string } } }[] } };
  const answer = JSON.parse(log.entries[0]?.response.content.text ?? '') as {
    accounts: { bban: string; iban: string; _links: { self: { href: string } } }[];
  };
  const [{ bban = '', iban = '', _links: links } = {}] = answer.accounts as Partial<(typeof answer.accounts)[number]>[];
  const isSame =
    norwegianIban(bban) === iban.replaceAll(' ', '') &&
    links?.self.href === `/v1/accounts/${bban}` &&
    bban.slice(0, 4) === account.slice(0, 4) &&
    bban.at(-1) === account.at(-1);
  demand(isSame, () => `${account} has several stand-ins: ${text}`);
}
