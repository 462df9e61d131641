import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isBbanMod11, norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { isKid, kidOf } from '../../engine/payments/rules/kid.ts';
import { isIdentityNumber } from '../../api/pipeline/identity-numbers.ts';
import { ownCreator } from '../../scripts/drift/har.ts';
import { checkPrivacy } from '../../scripts/drift/privacy.ts';
import { type Kind, rewrittenEntry } from '../../scripts/drift/places.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { numbersIn } from '../../scripts/drift/text-parts.ts';
import { seeded } from '../lab/seeded.ts';
import { identityNumber } from '../lab/identity-number.ts';
import { entryOf } from './entry-of.ts';
import { runMain } from '../support/recorded-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbank-privacy-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function fileOf(text: string): string {
  const file = join(folder, `${(files += 1)}.har`);
  writeFileSync(file, text);
  return file;
}

/** What is found in a file with this entry. */
function foundIn(entry: object): string[] {
  return checkPrivacy(fileOf(JSON.stringify({ log: { entries: [entry] } }))).found.map(({ what }) => what);
}

describe('stand-ins', () => {
  test.each<[what: string, kind: Kind, value: string, form: RegExp]>([
    ['an account number keeps register number and last digit', 'account', '09232911044', /^092300\d{4}4$/],
    ['one with signs between keeps them', 'text', 'Fra 0923.29.11044', /^[QWXZ][qwxz]{2} 0923\.00\.\d{4}4$/],
    ['a text keeps its form', 'text', '*1234 12.11 REMA 1000  Åse', /^\*\d{4} 12\.11 [QWXZ]{4} \d{4} {2}Ø[qwxz]{2}$/],
    ['words of a habit stay', 'text', 'Til: Kari Betalt: 01.02.27', /^Til: [QWXZ][qwxz]{3} Betalt: \d\d\.\d\d\.\d\d$/],
    ['an id keeps its form', 'id', 'enc!!aB3_x-9A==', /^enc!![qwxz][QWXZ]\d_[qwxz]-\d[QWXZ]==$/],
    [
      'so does a UUID',
      'id',
      '9b7f4a52-6c0b-4f7a-9d53-0f8d4bb5a001',
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-9[\da-f]{3}-[\da-f]{12}$/,
    ],
    ['an amount keeps sign, decimals and whole units', 'amount', '-1250.00', /^-[1-9]\d{3}\.00$/],
    ['nothing is nothing', 'amount', '0.00', /^0\.00$/],
    ['what is left of an amount is not nothing', 'amount', '0.50', /^0\.[1-9]0$/],
    ['an address of nobody', 'ip', '81.166.12.7', /^10\.\d{3}\.\d\d\.\d$/],
    ['an address of nobody from a high one', 'ip', '181.166.12.7', /^2[45]\d\.\d{3}\.\d\d\.\d$/],
    ['the machine itself', 'ip', '127.0.0.1', /^127\.0\.0\.1$/],
    ['IPv6', 'ip', '2a01:79c::1', /^fd[\da-f]{2}:[\da-f]{3}::[\da-f]$/],
    ['a card number', 'masked', '123456******1234', /^\d{6}\*{6}\d{4}$/],
    ['letters beyond', 'name', 'Łukasz 李', /^Ж[qwxz]{5} ж$/],
    [
      'a message says what it says',
      'message',
      'The account "Kari" is unknown, 2027-03-01',
      /^The account "[QWXZ][qwxz]{3}" is unknown, 2027-03-01$/,
    ],
  ])('%s', (_what, kind, value, form) => {
    const standIns = new StandIns();
    const own = standIns.of(kind, value);
    expect(own).toMatch(form);
    expect(own).toHaveLength(value.length);
    expect(standIns.of(kind, value)).toBe(own);
  });

  test.each([
    ['09232911044', ['09232911044']],
    ['0923.29.11044', ['09232911044']],
    ['7 0923 29 11044 8', ['7', '09232911044', '8']],
    ['0923.29.110445', ['0923', '29', '110445']],
    ['0923.29.1104', ['0923', '29', '1104']],
  ])('the numbers in %s are %j: neighbours are one number if they have eleven digits', (digits, numbers) => {
    expect(numbersIn(digits).map((one) => one.number)).toEqual(numbers);
  });

  test('the key is drawn for each recording', () => {
    const names = [1, 2, 3].map(() => new StandIns().of('name', 'Ragnhild Fjordholm'));
    expect(new Set(names).size).toBe(3);
  });

  test('an account has one stand-in in BBAN, IBAN, link and text, and its check digits stay right', () => {
    const standIns = new StandIns();
    const bban = standIns.of('account', '90491105991');
    expect(isBbanMod11(bban)).toBe(isBbanMod11('90491105991'));
    const iban = norwegianIban('90491105991');
    expect(standIns.of('account', iban)).toBe(norwegianIban(bban));
    expect(standIns.of('id', '90491105991')).toBe(bban);
    expect(standIns.of('text', `Fra ${iban}`)).toContain(norwegianIban(bban));
    const german = standIns.of('account', 'DE89 3704 0044 0532 0130 00');
    expect(german).toMatch(/^DE\d\d 0000 0000 0000 \d{4} \d\d$/);
    expect(typeof parseIban(german)).not.toBe('string');
    expect(standIns.of('account', 'NO0090491105991')).toBe(`NO01${bban}`);
  });

  test.each(['MOD10', 'MOD11'] as const)('a KID stays one by %s, or stays none', (check) => {
    const standIns = new StandIns();
    for (let stem = 10_000; stem < 10_050; stem += 1) {
      const kid = kidOf(String(stem), check);
      for (const text of [kid, `${kid}1`]) {
        expect(isKid(standIns.of('id', text), check)).toBe(isKid(text, check));
        if (text.endsWith('-')) continue;
        expect(isKid(standIns.of('text', `KID ${text}`).slice(4), check)).toBe(isKid(text, check));
      }
    }
  });

  test('an identity number of any kind becomes none, of the same kind; they stay apart', () => {
    const random = seeded(33);
    const standIns = new StandIns();
    const numbers = new Set(Array.from({ length: 150 }, () => identityNumber(random)));
    const own = [...numbers].map((number) => {
      const made = standIns.of('id', number);
      const kind = (text: string): string =>
        `${Number(text[0]) >= 4} ${[80, 65, 40, 0].find((more) => Number(text.slice(2, 4)) > more) ?? 0}`;
      expect(kind(made)).toBe(kind(number));
      expect(isIdentityNumber(made)).toBe(false);
      return made;
    });
    expect(new Set(own).size).toBe(numbers.size);
  });

  test('amounts are one by their value, and stay apart', () => {
    const standIns = new StandIns();
    const own = (text: string): string => standIns.of('amount', text);
    expect([own('-250.00'), own('250.0'), own('0250')]).toEqual([
      `-${own('250')}.00`,
      `${own('250')}.0`,
      `0${own('250')}`,
    ]);
    // One of nine might have only itself left.
    const small = Array.from({ length: 8 }, (_, at) => own(`${at + 1}.00`));
    expect(new Set(small).size).toBe(8);
  });

  test('--keep: each kind, and numbers of people in what is kept', () => {
    const [number] = [identityNumber(seeded(1))];
    const kept = new StandIns(new Set(['amounts', 'names', 'texts', 'addresses', 'accounts']));
    const values = [
      ['amount', '1250.00'],
      ['name', 'Kari Bråten'],
      ['text', 'Husleie 12345 for mars'],
      ['address', 'Storgata 117'],
      ['account', '09232911044'],
      ['account', norwegianIban('09232911044')],
      ['ip', '81.166.12.7'],
    ] as const;
    for (const [kind, value] of values) expect(kept.of(kind, value)).toBe(value);
    expect(kept.of('text', `Lønn ${number}`)).not.toContain(number);
    expect(kept.of('token', 'Bearer Kari')).not.toContain('Kari');
    expect(new StandIns(new Set(['identity-numbers'])).of('text', `Lønn ${number}`)).toContain(` ${number}`);
  });
});

describe('sandbank drift --privacy', () => {
  const number = identityNumber(seeded(2));
  const browser = JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a browser', version: '1' },
      entries: [
        {
          request: {
            method: 'GET',
            url: 'https://bank.example/v1/accounts',
            headers: [{ name: 'psu-id', value: '5f0c9c1e-94a0-4d7c-8d0e-0a4f2f6b7a10' }],
            cookies: [{ name: 'psu', value: number }],
          },
          response: {
            status: 200,
            headers: [],
            content: {
              text: JSON.stringify({
                accounts: [{ ownerName: 'Ragnhild', creditLimit: 40_000, balance: { amount: '17.00' } }],
              }),
            },
          },
        },
        {},
      ],
    },
  });

  test('a file of another program: one line for each place, without the data, and what it cannot judge', async () => {
    const { code, lines } = await runMain(['drift', '--privacy', fileOf(browser)]);
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'a name: answer accounts[].ownerName; once, first in entry 1.',
        'an identity number: request cookie; once, first in entry 1.',
        'not judged, entries that are no request with an answer: the entry; once, first in entry 2.',
        '2 amounts not judged: an amount alone identifies nobody.',
        'Personal data in 2 places of 2 entries.',
      ],
    });
    const json = await runMain(['drift', '--privacy', '--json', fileOf(browser)]);
    expect(JSON.parse(json.lines.join('\n'))).toMatchObject({
      found: [{ count: 1, entry: 1 }, {}],
      notJudged: { amounts: 2 },
    });
  });

  test.each<[what: string, text: string, flags: string[], line: RegExp]>([
    ['an empty file', '', [], /it is empty$/],
    ['text', 'GET / HTTP/1.1', [], /it is no JSON object$/],
    ['a cut file', browser.slice(0, -20), [], /it is cut, or no JSON$/],
    ['another document', '{"openapi": "3.1.0"}', [], /it has no log\.entries/],
    ['no entries', '{"log": {"entries": []}}', [], /has no entries$/],
    ['a page beside it', browser, ['--html', 'x.html'], /^give --privacy or --html/],
    ['a list beside it', browser, ['--accept', 'x'], /^give --privacy or --accept/],
  ])('%s is refused in one line', async (_what, text, flags, line) => {
    const { code, lines, errors } = await runMain(['drift', '--privacy', fileOf(text), ...flags]);
    expect({ code, lines, first: errors[0] }).toEqual({ code: 2, lines: [], first: expect.stringMatching(line) });
  });

  test.each<[what: string, text: string, found: string]>([
    [
      'digits of another script',
      JSON.stringify({ note: [...number].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('') }),
      'an identity number',
    ],
    ...['', 'a', 'ab', 'abc'].map((front): [string, string, string] => {
      const text = JSON.stringify({ note: front + Buffer.from(`x:${number}`).toString('base64') });
      return [`base64 behind ${front.length} letters`, text, 'an identity number'];
    }),
    [
      'percent signs, twice',
      JSON.stringify({ note: encodeURIComponent(encodeURIComponent(` ${number}`)).replaceAll('1', '%31') }),
      'an identity number',
    ],
    ['a number', `{"note": ${number}}`, 'an identity number'],
    ['the name of a member', `{"${number}": 1}`, 'an identity number'],
    ['an IBAN in words', JSON.stringify({ note: 'til NO93 8601 1117 947 i dag' }), 'an account number'],
    ['mail', JSON.stringify({ status: 'x', note: 'kari@post.example' }), 'an address of mail'],
    ['a body that is no JSON', 'Kari Nordmann', 'a text'],
  ])('%s', async (_what, text, found) => {
    expect(foundIn(entryOf(text))).toContain(found);
  });

  test.each([
    [
      '10.1.2.3',
      '0.1.2.3',
      '127.0.0.1',
      '192.168.1.2',
      '169.254.1.2',
      '240.1.2.3',
      '249.1.2.3',
      '250.1.2.3',
      '::1',
      'fd00::1',
      'a',
    ],
    [
      '11.1.2.3',
      '81.166.12.7',
      '128.0.0.1',
      '192.169.1.2',
      '169.253.1.2',
      '239.1.2.3',
      '2a01::1',
      '::2',
      '10.1.2.3, 81.166.12.7',
    ],
  ])('%s ... are addresses of nobody, or else of somebody', (...addresses) => {
    const isOfSomebody = addresses.includes('2a01::1');
    for (const value of addresses) {
      const found = foundIn(entryOf({}, [{ name: 'PSU-IP-Address', value }]));
      expect([value, found]).toEqual([value, isOfSomebody ? ['an IP address'] : []]);
    }
  });

  test('the shortest name has two letters, the shortest base64 is that of the number alone, and no amount is nothing', () => {
    expect(foundIn(entryOf({ ownerName: 'B', town: 'Ås' }))).toEqual(['an address']);
    expect(foundIn(entryOf({ ownerName: 'Bo' }))).toEqual(['a name']);
    expect(foundIn(entryOf({ note: Buffer.from(number).toString('base64') }))).toContain('an identity number');
    const notJudged = (amount: string) =>
      checkPrivacy(fileOf(JSON.stringify({ log: { entries: [entryOf({ amount })] } }))).notJudged;
    expect([notJudged('0.00'), notJudged('0.01')]).toEqual([{}, { amounts: 1 }]);
  });

  test.each<[what: string, text: object | string, found: string]>([
    ['a sign of no width inside', { note: `${number.slice(0, 5)}\u200b${number.slice(5)}` }, 'an identity number'],
    ['hexadecimal digits', { note: Buffer.from(number).toString('hex') }, 'an identity number'],
    ['two members', { birth: number.slice(0, 6), rest: number.slice(6) }, 'an identity number in two members'],
    ['a phone with its country', { note: 'ring +47 912 34 567' }, 'a phone number'],
    ['a member phone', { phone: '91234567' }, 'a phone number'],
    ['a company', { note: '974760673' }, 'an organisation number'],
    ['a company with blanks', { note: 'org 974 760 673' }, 'an organisation number'],
    ['a card in groups', { note: '4111 1111 1111 1111' }, 'a card number'],
    ['a date of birth', { birthDate: '1971-04-13' }, 'a date of birth'],
  ])('DW10: %s', async (_what, answer, found) => {
    expect(foundIn(entryOf(answer as object))).toContain(found);
    const text = JSON.stringify(answer);
    // Each draws otherwise.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const shown = rewrittenEntry(entryOf(answer as object) as never, new StandIns().of);
      expect({ text, found: foundIn(shown) }).toEqual({ text, found: [] });
    }
  });

  test('DW10: cookies, comments and a reason of its own are looked at', () => {
    const entry = entryOf({}) as { request: object; response: object };
    const named = { ...entry, request: { ...entry.request, cookies: [{ name: 'a', value: 'Ragnhild' }] } };
    expect(foundIn(named)).toEqual(['a token, a signature or a certificate']);
    expect(foundIn({ ...entry, comment: 'Ragnhild called' })).toEqual(['a text']);
    expect(foundIn({ ...entry, response: { ...entry.response, statusText: 'Hei Ragnhild' } })).toEqual(['a text']);
  });

  test('DW10: bare digits that nobody can judge: exit code 3, with their places', async () => {
    const text = JSON.stringify({
      log: { entries: [entryOf({ remittanceInformationUnstructured: 'qqxz 91234567' })] },
    });
    const { code, lines } = await runMain(['drift', '--privacy', fileOf(text)]);
    expect({ code, lines }).toEqual({
      code: 3,
      lines: [
        'not judged, numbers: answer remittanceInformationUnstructured; once, first in entry 1.',
        'none found, 1 value not judged, in 1 entry.',
      ],
    });
  });

  test('DW10: a recording of the proxy has nothing that nobody can judge, and a number that is no stand-in is doubted there too', async () => {
    const { of } = new StandIns();
    const note = '1234567890128, 55512345';
    const card = entryOf({
      cardAccounts: [{ maskedPan: '123456******1234' }],
      remittanceInformationUnstructured: note,
    });
    const own = rewrittenEntry(card as never, of);
    const placesIn = (entry: object, creator: object): string[] =>
      checkPrivacy(fileOf(JSON.stringify({ log: { creator, entries: [entry] } }))).doubts.map(({ place }) => place);
    const both = ['answer cardAccounts[].maskedPan', 'answer remittanceInformationUnstructured'];
    expect(placesIn(own, { name: ownCreator })).toEqual([]);
    expect(placesIn(own, { name: 'a browser' })).toEqual(both);
    expect(placesIn(card, { name: ownCreator })).toEqual(both);
    const pairs = entryOf({ remittanceInformationUnstructured: '12 34 56 78 9' });
    expect(placesIn(pairs, { name: ownCreator })).toEqual(['answer remittanceInformationUnstructured']);
  });

  test.each<[what: string, answer: object, doubted: number]>([
    ['five digits in a text', { note: 'qq 12345' }, 1],
    ['four digits in a text', { note: 'qq 1234' }, 0],
    ['eight digits in a message', { tppMessages: [{ text: 'qq 12345678' }] }, 1],
    ['seven digits in a message', { tppMessages: [{ text: 'qq 1234567' }] }, 0],
    ['digits of an id that has letters', { paymentId: 'qq12345' }, 0],
    ['digits of an id without letters', { paymentId: '12345-12' }, 1],
    ['eleven digits that are no number of anybody', { note: '09230012345' }, 0],
  ])('DW10: of a file of another program %s are doubted, or are not: %j', (_what, answer, doubted) => {
    const { found, notJudged } = checkPrivacy(fileOf(JSON.stringify({ log: { entries: [entryOf(answer)] } })));
    expect({ found, numbers: notJudged['numbers'] ?? 0 }).toEqual({ found: [], numbers: doubted });
  });

  test.each([
    [['names'], { amounts: 1 }, []],
    [['names', 'amounts'], {}, ['an amount that was kept']],
  ])('DW10: a recording that kept %j tells of its amounts %j, %j', (kept, notJudged, found) => {
    const log = { creator: { name: ownCreator }, _kept: kept, entries: [entryOf({ amount: '17.00' })] };
    const told = checkPrivacy(fileOf(JSON.stringify({ log })));
    expect([told.notJudged, told.found.map(({ what }) => what)]).toEqual([notJudged, found]);
  });

  test('DW10: digits that JSON within JSON escapes belong to the digits beside them', () => {
    const { of } = new StandIns();
    // The day and the seven digits before the first escape would be an identity number.
    const note = String.raw`12.11 0146009\\u0030\\u003896: qqxz`;
    expect(foundIn(entryOf({ note }))).toEqual([]);
    const spelled = [...number].map((digit) => String.raw`\\u003${digit}`).join('');
    expect(foundIn(entryOf({ note: spelled }))).toContain('an identity number');
    expect(of('text', spelled)).toMatch(/^(?:\\\\u003\d){11}$/);
  });

  test('DW10: a value has one stand-in in all its spellings, and words of the interface stay', () => {
    const { of } = new StandIns();
    const phone = of('text', '91234567');
    expect(phone).toMatch(/^[01]\d{7}$/);
    expect([of('id', '+4791234567'), of('text', '+47 91234567')]).toEqual([`+47${phone}`, `+47 ${phone}`]);
    expect(of('text', '+47 912 34 567').replaceAll(/[ +]/g, '')).toBe(`47${phone}`);
    const sent = entryOf({}, [{ name: 'PSU-Geo-Location', value: 'GEO:59.91,10.75' }]);
    const { request } = rewrittenEntry(sent as never, of);
    expect(request.headers[0]?.value).toMatch(/^GEO:\d\d\.\d\d,\d\d\.\d\d$/);
  });

  test('stand-ins are no personal data, wherever they are', () => {
    const standIns = new StandIns();
    const [account, person] = [standIns.of('account', '09232911044'), standIns.of('id', number)];
    const answer = {
      bban: account,
      iban: norwegianIban(account),
      paymentId: person,
      ownerName: standIns.of('name', 'Ragnhild Fjordholm'),
      remittanceInformationUnstructured: `${account} ${norwegianIban(account)} ${person}`,
    };
    const entry = { ...entryOf(answer), comment: `${account} ${norwegianIban(account)} ${person}` };
    expect(foundIn(entry)).toEqual([]);
    expect(foundIn({ ...entry, comment: '90491105991' })).toEqual(['an account number']);
  });
});
