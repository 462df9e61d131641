import { describe, expect, test } from '@jest/globals';
import { isBbanMod11, norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { isIdentityNumber } from '../../api/pipeline/secrets.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { worseThanLinear } from '../support/linear.ts';
import { oneOf } from '../support/sample.ts';
import { entryOf } from './entry-of.ts';

/* docs/drift.md: what a recording has in the place of personal data. */

const [person, account] = ['13039319955', '90491105991'];

/** An answer as a recording has it. */
function recorded(answer: unknown, standIns = new StandIns()): unknown {
  return JSON.parse(standIns.rewritten(entryOf(answer)).response.content.text ?? '');
}

describe('members that hold personal data', () => {
  test.each([
    ['a name', { debtorName: 'Åse Lunde' }, { debtorName: expect.stringMatching(/^[QWXZ][qwxz]{2} [QWXZ][qwxz]{4}$/) }],
    [
      'a text',
      { transactionDetails: 'Leie 12' },
      { transactionDetails: expect.stringMatching(/^[QWXZ][qwxz]{3} \d\d$/) },
    ],
    [
      'texts in a list',
      { remittanceInformationUnstructuredArray: ['Kari'] },
      { remittanceInformationUnstructuredArray: [expect.stringMatching(/^[QWXZ][qwxz]{3}$/)] },
    ],
    ['a card', { maskedPan: '123456******1234' }, { maskedPan: expect.stringMatching(/^\d{6}\*{6}\d{4}$/) }],
    [
      'an address',
      { city: 'Oslo', amount: '17.00' },
      { city: expect.stringMatching(/^[QWXZ][qwxz]{3}$/), amount: '17.00' },
    ],
  ])('%s', (_, answer, wanted) => {
    const own = recorded(answer);
    expect(own).toEqual(wanted);
    expect(own).not.toEqual(answer);
  });

  test('what holds none stays as it is spelled', () => {
    const text =
      '{"amount":17.50,"bookingDate":"2027-03-01","resourceId":"a\\u00e6-1","links":[{"href":"/v1/accounts/ab1"}]}';
    expect(new StandIns().rewritten(entryOf(text)).response.content.text).toBe(text);
  });
});

describe('numbers of the right form', () => {
  test('an account has one stand-in in BBAN, IBAN, link, text and another answer', () => {
    const standIns = new StandIns();
    const iban = norwegianIban(account);
    const one = recorded({ bban: account, iban, href: `/v1/accounts/${account}`, note: `Fra ${iban}` }, standIns);
    const { bban } = one as { readonly bban: string };
    expect(bban).toMatch(/^904900\d{5}$/);
    expect(isBbanMod11(bban)).toBe(true);
    expect(one).toEqual({
      bban,
      iban: norwegianIban(bban),
      href: `/v1/accounts/${bban}`,
      note: `Fra ${norwegianIban(bban)}`,
    });
    expect(recorded({ bban: '9049 11 05991' }, standIns)).toEqual({ bban: bban.replace(/^(.{4})(..)/, '$1 $2 ') });
  });

  test.each([
    ['90491105992', /^904900\d{5}$/, isBbanMod11],
    ['NO0090491105991', /^NO01904900\d{5}$/, (iban: string) => typeof parseIban(iban) !== 'string'],
  ])('a wrong one stays wrong in its member: %s', (number, form, isRight) => {
    const { iban } = recorded({ iban: number }) as { readonly iban: string };
    expect(iban).toMatch(form);
    expect(isRight(iban)).toBe(false);
  });

  test('an IBAN of another country stays right', () => {
    const { iban } = recorded({ iban: 'DE89 3704 0044 0532 0130 00' }) as { readonly iban: string };
    expect(iban).toMatch(/^DE\d\d \d{4} \d{4} \d{4} \d{4} \d\d$/);
    expect(iban).not.toContain('0532');
    expect(typeof parseIban(iban.replaceAll(' ', ''))).not.toBe('string');
  });

  test('an IBAN in small letters has the stand-in of the one in capitals, in small letters', () => {
    const standIns = new StandIns();
    const iban = norwegianIban(account);
    const own = recorded({ iban }, standIns) as { readonly iban: string };
    const small = iban.toLowerCase();
    const spelled = `n${iban.slice(1, 4)} ${iban.slice(4)}`;
    expect(recorded({ iban: small, note: `Fra ${small}.`, creditorAccount: { iban: spelled } }, standIns)).toEqual({
      iban: own.iban.toLowerCase(),
      note: `Fra ${own.iban.toLowerCase()}.`,
      creditorAccount: { iban: `n${own.iban.slice(1, 4)} ${own.iban.slice(4)}` },
    });
    const wrong = recorded({ iban: 'no0090491105991' }) as { readonly iban: string };
    expect(wrong.iban).toMatch(/^no01904900\d{5}$/);
  });

  test('an identity number becomes eleven digits of nobody, in a text, a number of JSON, a text without JSON and an address', () => {
    const standIns = new StandIns();
    const { note, psu } = recorded({ note: `Lønn ${person}`, psu: Number(person) }, standIns) as {
      readonly note: string;
      readonly psu: number;
    };
    const own = String(psu);
    expect(own).toMatch(/^9\d{10}$/);
    expect([isIdentityNumber(own), isBbanMod11(own)]).toEqual([false, false]);
    expect(note).toBe(`Lønn ${own}`);
    const { request, response } = standIns.rewritten(
      entryOf(`no JSON, ${person}`, [], `https://bank.example/v1/sandbox/customers/${person}`),
    );
    expect([request.url, response.content.text]).toEqual([
      `https://bank.example/v1/sandbox/customers/${own}`,
      `no JSON, ${own}`,
    ]);
  });

  test.each(['12345678901', `1${person}`, `enc-${person}`, '4eba4445-1a4b-47b8-bdd5-a13039319955'])(
    '%s is none',
    (text) => {
      expect(recorded({ note: text })).toEqual({ note: text });
    },
  );
});

test.each([
  ['PSU-IP-Address', '81.166.12.7', '192.0.2.1'],
  ['PSU-IP-Address', '2001:db8::1', '192.0.2.1'],
  ['PSU-IP-Address', '999.1.1.1', 'wrong'],
  ['PSU-IP-Address', '', ''],
  ['PSU-Geo-Location', 'GEO:59.91,10.75', 'GEO:0.0,0.0'],
  ['PSU-Geo-Location', 'GEO:95.00,10.75', 'wrong'],
  ['PSU-Geo-Location', 'Oslo', 'wrong'],
  ['PSU-Geo-Location', '', ''],
  [
    'PSU-ID',
    '9b7f4a52-6c0b-4f7a-9d53-0f8d4bb5a001',
    expect.stringMatching(/^\db\df\da\d\d-6c\db-4f\da-9d\d\d-0f\dd\dbb\da\d\d\d$/),
  ],
  ['X-PSU-IDENTITY', '12345678901', expect.stringMatching(/^9\d{10}$/)],
  ['X-PSU-IDENTITY', '130393 19955', expect.stringMatching(/^\d{6} \d{5}$/)],
  ['X-PSU-IDENTITY', '1303931995', expect.stringMatching(/^\d{10}$/)],
  ['Authorization', 'Bearer abc', '***'],
  ['X-Note', `of ${person}`, expect.stringMatching(/^of 9\d{10}$/)],
  ['Signature', `keyId="SN=${account}"`, `keyId="SN=${account}"`],
  ['TPP-Signature-Certificate', 'MIIKari', 'MIIKari'],
])('the header %s', (name, value, wanted) => {
  const [header] = new StandIns().rewritten(entryOf({}, [{ name, value }])).request.headers;
  expect(header).toEqual({ name, value: wanted });
  if (wanted !== value) expect(header?.value).not.toBe(value);
});

test('the key is drawn for each recording', () => {
  const names = [1, 2, 3].map(() => JSON.stringify(recorded({ name: 'Ragnhild Fjordholm' })));
  expect(new Set(names).size).toBe(3);
});

test('a word of any length takes time in proportion to its length', () => {
  const work = (text: string): unknown => recorded({ name: text, iban: text, note: text });
  for (const unit of oneOf('units of a word', ['a', '1', 'NO12', 'A1 ']))
    expect([unit, worseThanLinear(work, { before: '', unit, after: '' })]).toEqual([unit, null]);
});
