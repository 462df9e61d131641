import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { norwegianIban } from '../../engine/values/account-number.ts';
import { isIdentityNumber } from '../../api/pipeline/masking/identity-numbers.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { HarFile } from '../drift/har-file.ts';
import { checkPrivacy } from '../drift/privacy.ts';
import { StandIns } from '../drift/stand-ins.ts';
import { spellingsOf, tells } from '../lab/secret-spellings.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';

/** What additions to day and month make numbers of which kind: birth, D-, H- and synthetic numbers. */
const additions = [
  [0, 0],
  [40, 0],
  [0, 40],
  [0, 65],
  [0, 80],
  [40, 80],
] as const;
const givenNames = ['Ragnhild', 'Åsmund', 'Torbjørg', 'Siv-Åse', 'Øyvind', 'Guðrún', 'Łukasz', 'Kari'] as const;
const familyNames = ['Fjordholm', 'Bråten', 'Nordgård', 'Skogstad', 'Ødegård', 'Hansen'] as const;
const streets = ['Storgata 117', 'Fjellveien 42b', 'Åsgårdstrandsvegen 9'] as const;

/** Somebody who does not exist, and whose data nothing else has. */
interface Somebody {
  readonly number: string;
  readonly account: string;
  readonly name: string;
  readonly street: string;
  readonly phone: string;
  readonly mail: string;
}

/**
 * Recordings of answers full of personal data, spelled in any way and in any place: nothing of them is left in the file, a value has one stand-in,
 * and `sandbank drift --privacy` finds the data in what was answered, and none in the file.
 */
export const privacy: Campaign = { unit: 'answers', usualCount: 1_000, run };

async function run(soak: Soak): Promise<void> {
  const { random, each, tally } = soak;
  const folder = soak.folder();
  await each(async (index) => {
    const one = somebody(random);
    const spelled = spellings(one, random);
    const file = join(folder, `${index}.har`);
    const bare = join(folder, `${index}-bare.har`);
    const passed = exchangeWith(one, spelled, random);
    for (const [name, standIns] of [
      [file, new StandIns(new Set(), String(random.below(2 ** 31)))],
      [bare, new Kept()],
    ] as const) {
      const har = new HarFile(
        name,
        { version: '1.2', creator: { name: 'a campaign', version: '1' }, _kept: [] },
        standIns,
      );
      const problem = har.add(passed);
      har.close();
      demand(problem === null, () => `seen ${index}: not recorded: ${problem ?? ''}`);
    }
    const text = readFileSync(file, 'utf8');
    const words = [...one.name.split(/[ -]/), ...one.street.split(' ')].filter((word) => word.length > 3);
    for (const secret of [one.number, one.account, one.phone, one.mail, ...words])
      demand(!tells(text, secret), () => `${secret} is left: ${text}`);
    for (const way of spelled) demand(!text.includes(way), () => `${way} is left: ${text}`);
    demandOneStandIn(text, one);
    const [own, theirs] = [await checkPrivacy(file), await checkPrivacy(bare)];
    demand(own.found.length === 0, () => `found in a recording: ${JSON.stringify(own)}: ${text}`);
    const found = new Set(theirs.found.map(({ what }) => what));
    for (const what of [
      'an identity number',
      'an account number',
      'a name',
      'a text',
      'an address',
      'an id',
      'an IP address',
    ])
      demand(found.has(what), () => `${what} was not found in ${readFileSync(bare, 'utf8')}`);
    const shown = JSON.stringify(theirs);
    demand(
      !shown.includes(one.number) && !words.some((word) => shown.includes(word)),
      () => `the check shows ${shown}`,
    );
    tally('spellings', spelled.length);
  });
}

/** Leaves all as it is. */
class Kept extends StandIns {
  override readonly of = (_: unknown, value: string): string => value;
}

function somebody(random: Seeded): Somebody {
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

/** Of today, or of 2032 on, when the first check digit may leave a rest. */
export function identityNumber(random: Seeded): string {
  for (;;) {
    const [dayMore, monthMore] = random.pick(additions);
    const part = (value: number, length = 2): string => String(value).padStart(length, '0');
    const stem =
      part(1 + random.below(28) + dayMore) + part(1 + random.below(12) + monthMore) + part(1 + random.below(99));
    const number = stem + part(random.below(100_000), 5);
    if (isIdentityNumber(number)) return number;
  }
}

function accountNumber(random: Seeded): string {
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
  for (;;) {
    const stem = String(1_000_000_000 + random.below(1_000_000_000) * 8 + random.below(8)).slice(0, 10);
    const rest = (11 - (weights.reduce((sum, weight, at) => sum + weight * Number(stem[at]), 0) % 11)) % 11;
    if (rest < 10 && stem.slice(4, 6) !== '00' && !isIdentityNumber(stem + String(rest))) return stem + String(rest);
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
  const answer = {
    accounts: [
      {
        resourceId: id,
        bban: account,
        iban: random.pick([iban, iban.replaceAll(/(.{4})/g, '$1 ').trim()]),
        ownerName: name,
        name: `${name}s lønnskonto`,
        _links: {
          self: { href: `/v1/accounts/${account}`, verbs: ['GET'] },
          transactions: {
            href: `https://bank.example/v1/accounts/${encodeURIComponent(id)}/transactions?iban=${iban}&psu=${number}`,
          },
        },
      },
    ],
    psu: number,
    numeric: Number(number),
    [number]: { [name]: street },
    address: { street, townName: name, postalCode: '0159', email: mail, phone },
    birthDate: '1971-04-13',
    transactions: {
      booked: texts.map((text) => ({
        transactionId: `${number}-${random.below(10_000)}`,
        [member()]: text,
        creditorName: name,
      })),
    },
    tppMessages: [
      {
        category: 'ERROR',
        code: 'X',
        path: `accounts.${account}`,
        text: `The account ${account} of "${name}" is unknown: ${random.pick(spelled)}`,
      },
    ],
  };
  const text = random.pick([JSON.stringify(answer), JSON.stringify(answer, null, 2), escapedText(answer)]);
  return {
    method: 'GET',
    url: `https://bank.example/api/v1/accounts/${random.pick([account, iban, encodeURIComponent(id)])}/transactions?psu=${encodeURIComponent(random.pick(spelled))}&${number}=1&dateFrom=2027-01-01`,
    rawHeaders: [
      ...['X-PSU-IDENTITY', number, 'PSU-ID', `psu-${number}`, 'PSU-IP-Address', '81.166.12.7', 'X-Request-ID', number],
      ...[
        'Authorization',
        `Bearer ${Buffer.from(number).toString('base64')}`,
        'Cookie',
        `name=${encodeURIComponent(name)}`,
      ],
      ...['TPP-Redirect-URI', `https://${number}.example/${account}?name=${encodeURIComponent(name)}`, number, mail],
      ...[
        'Accept',
        `application/json; x=${number}`,
        'Signature',
        `keyId="SN=${number}"`,
        'Content-Type',
        'application/json',
      ],
    ],
    body: Buffer.from(
      random.pick([
        JSON.stringify({ debtorAccount: { bban: account }, creditorName: name, note: random.pick(spelled) }),
        `${name} ${number}`,
        '',
      ]),
    ),
    status: 200,
    answerHeaders: [
      'Content-Type',
      'application/json',
      'Set-Cookie',
      `psu=${number}`,
      'Location',
      `/v1/accounts/${account}?${name}`,
    ],
    answer: Buffer.from(text),
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
