import { type BaseRecording, type Changeable, header, put } from './planted.ts';
import type { Answer } from '../lab/recorder.ts';

/** A difference of form that is planted in an answer of a recording, and what must be told of it. */
export interface FormPlant {
  /** The name of the entry. */
  readonly at: string;
  /** What is planted, for people. */
  readonly what: string;
  readonly change: (entry: Changeable) => void;
  /** `accounts[].iban value`: its member and its kind. */
  readonly tells: string;
}

type Path = readonly (string | number)[];

const [ownIban, ownBban] = ['NO7809232911044', '09232911044'];
const uuid = '0d4e7a1c-2f5b-4c3a-9d1e-8b7f6a5c4d3e';

/** Forms that no bank shows, by the member that has one: of an IBAN, of the BBAN of an own account, of a BIC, of a link. */
const wrongForms: Readonly<Record<string, readonly unknown[]>> = {
  iban: [
    ...['NO78 0923 2911 044', 'NO78 09232911044', ` ${ownIban}`, `${ownIban} `, 'NO78\u00a009232911044'],
    ...[ownIban.toLowerCase(), `no${ownIban.slice(2)}`, `nO${ownIban.slice(2)}`],
    ...['NO7909232911044', 'NO0009232911044', 'NO0109232911044', 'NO9909232911044', 'NO7809232911045'],
    ...['NO78.0923.2911.044', 'NO78-09232911044', ownBban, '', 'NO', 'NO780923291104', 'NO78092329110444'],
    ...[
      '7809232911044NO',
      'NOXX09232911044',
      'DE8937040044053201300',
      'GB29NWBK6016133192681x',
      'IBAN NO7809232911044',
    ],
  ],
  bban: [
    ...['0923.29.11044', '0923 29 11044', '0923 2911044', '0923-29-11044', ` ${ownBban}`, `${ownBban} `],
    ...['0923291104', '092329110441', '923291104', '', '0923291104x', 'O9232911044', '+9232911044', ownIban],
    ...['\u0660\u0669\u0662\u0663\u0662\u0669\u0661\u0661\u0660\u0664\u0664', '0923291104\n'],
  ],
  bic: ['abcdnokk', 'ABCDNOKk', 'ABCDNOK', 'ABCD NO KK', 'ABCDNOKKXX', 'ABCD1OKK', ' ABCDNOKK', ''],
  href: [
    ...['v1/accounts', 'accounts/1', './accounts', '../accounts', '', ' ', ' /v1/accounts', '/v1/accounts ', '?page=2'],
    ...[
      'ftp://bank.example/v1/accounts',
      'ftp:/v1',
      'file:///v1/accounts',
      'mailto:a@bank.example',
      'javascript:alert(1)',
    ],
    ...['/v1/my accounts', '/v1/ac\\counts', '/v1/<id>', '/v1/{accountId}', '/v1/a|b', '/v1/"a"', '/v1/a^b', '/v1/`a`'],
    ...['/v1/100%', '/v1/%zz', '/v1/%2', '/v1/p\u00e5', '/v1/a\u0000', '/v1/a\nb', '//other.example/v1', 'https:///v1'],
    ...['https:/v1', 'http//bank.example', 'bank.example/v1', '://bank.example', 'https://', '#top'],
  ],
};

/** Forms that no id of this bank has, however quirks make them. */
const wrongIds = [uuid, uuid.toUpperCase(), 'enc!!x', '-', '', 'x'.repeat(600), 'x'.repeat(69), 'enc!! ', '12345'];
const idMember = /^(?:transactionId|paymentId|resourceId)$/;

/** `accounts[].iban` of `['accounts', 0, 'iban']`. */
function nameOf(path: Path): string {
  return path
    .map((name) => (typeof name === 'number' ? '[]' : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

/** The places in a value, each once for its name. */
function placesIn(value: Answer, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value as object);
  return [path, ...[...parts].flatMap(([name, part]) => placesIn(part, [...path, name]))];
}

function valueAt(value: Answer, path: Path): unknown {
  return path.reduce((at, name) => at[name], value);
}

/** An own account: of a list of accounts, or whose balances or transactions an answer has. */
const ownNumber = /^(?:accounts\[\]|account)\.bban$/;

/** Wrong forms of each IBAN, each number of an own account, each BIC, each link and each id of the answers. */
function ofMembers({ entries, places }: BaseRecording): FormPlant[] {
  return [...places].flatMap(([at, place]) => {
    const text = entries[place]?.response.content.text ?? '';
    const answer = text.startsWith('{') ? (JSON.parse(text) as Answer) : {};
    return placesIn(answer).flatMap((path) => {
      const [name, member] = [String(path.at(-1)), nameOf(path)];
      const isJudged = name !== 'bban' || ownNumber.test(member);
      const forms = idMember.test(name) ? wrongIds : isJudged ? (wrongForms[name] ?? []) : [];
      const planted = typeof valueAt(answer, path) === 'string' ? [...forms, 7, null, [valueAt(answer, path)]] : [];
      return (forms.length === 0 ? [] : planted).map((form) => ({
        at,
        what: `${member} ${JSON.stringify(form)?.slice(0, 60)}`,
        change: ({ answer: own }: Changeable) => put(own, path, form),
        tells: `${member} ${typeof form === 'string' ? 'value' : 'type'}`,
      }));
    });
  });
}

const refusals = ['unconsented', 'refused', 'unknown', 'limited'];
const answered = ['accounts', 'balances', 'transactions', 'details', 'payment', 'cards', ...refusals];

/** Headers of answers. */
function ofHeaders(): FormPlant[] {
  const change = (at: string, name: string, value: string | undefined, kind: 'lost' | 'header'): FormPlant => ({
    at,
    what: `${name} ${value ?? 'left out'}`,
    change: ({ response }) => header(response.headers, name, value),
    tells: `header ${name} ${kind}`,
  });
  const types = [
    ...[
      'text/html',
      'text/plain',
      'text/json',
      'application/xml',
      'application/problem+json',
      'json',
      'application/js',
    ],
    ...['application/json;charset=iso-8859-1', 'application/json; charset=latin1', 'application/json;charset="utf-16"'],
    ...['application/json; charset=windows-1252', 'application/json; charset=us-ascii', 'application/json; charset='],
  ];
  return answered.flatMap((at) => [
    change(at, 'Content-Type', undefined, 'lost'),
    ...types.map((type) => change(at, 'Content-Type', type, 'header')),
    change(at, 'X-Request-ID', undefined, 'lost'),
    ...[uuid, 'x', '00000000'].map((id) => change(at, 'X-Request-ID', id, 'header')),
    ...(at === 'limited' ? [change(at, 'Retry-After', undefined, 'lost')] : []),
  ]);
}

/** Whole answers of another type. */
function ofBodies(): FormPlant[] {
  // A gateway answers 429.
  return answered
    .filter((at) => at !== 'limited')
    .flatMap((at) =>
      ['ok', true, 7, null, [], ''].map((body) => ({
        at,
        what: `the answer ${JSON.stringify(body)}`,
        change: (entry: Changeable) => void (entry.answer = body),
        tells: 'body type',
      })),
    );
}

/** A product that the sandbox does not have, and a difference in its answer. */
function ofProducts(): FormPlant[] {
  const changes: readonly (readonly [what: string, change: (answer: Answer) => void, tells: string])[] = [
    ['nothing else', () => undefined, ''],
    ['a word', (answer) => (answer.transactionStatus = 'ZZZZ'), ' transactionStatus value'],
    ['no id', (answer) => delete answer.paymentId, ' paymentId lost'],
    ['one member more', (answer) => (answer.riskScore = 1), ' riskScore added'],
    ['no links', (answer) => delete answer._links, ' _links lost'],
    ['a fee that is a number', (answer) => (answer.transactionFees.amount = 0), ' transactionFees.amount type'],
    ['a link without a slash', (answer) => (answer._links.self.href = 'v1'), ' _links.self.href value'],
  ];
  return ['payment', 'periodic', 'bulk'].flatMap((at) =>
    ['sepa-instant', 'norwegian-domestic-credit-transfer', 'x', 'p%20x'].flatMap((product) =>
      changes.map(([what, change, tells]) => ({
        at,
        what: `the product ${product}, and ${what}`,
        change: ({ request, answer }: Changeable) => {
          request.url = request.url.replace('norwegian-domestic-credit-transfers', product);
          change(answer);
        },
        tells: `request path product taken${tells}`,
      })),
    ),
  );
}

/** Plants over the kinds of form that answers of a bank get wrong. */
export function formPlants(base: BaseRecording): readonly FormPlant[] {
  return [...ofMembers(base), ...ofHeaders(), ...ofBodies(), ...ofProducts()];
}
