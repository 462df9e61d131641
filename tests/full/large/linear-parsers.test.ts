import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isBelow } from '../../../api/pipeline/armed-faults.ts';
import { ControlToken } from '../../../api/pipeline/control-token.ts';
import { maskedHeaders, maskedLines, maskedValue, maskOf } from '../../../api/pipeline/secrets.ts';
import { pathTable, queryIn, QueryReader } from '../../../api/pipeline/target.ts';
import { readQuery } from '../../../api/control/read-query.ts';
import { validateBody } from '../../../api/pipeline/validate-body.ts';
import { readHeaders, headerRows } from '../../../api/pipeline/request-headers.ts';
import { decimalFaults, amountFaults, belowZero, minorIn } from '../../../api/bodies/amount.ts';
import { creditTransferBody } from '../../../api/interface/payments/payment-bodies.ts';
import { preferredMethod } from '../../../api/sca/sca-pages.ts';
import { readTppCertificate } from '../../../api/signing/certificate/tpp-certificate.ts';
import { bodyVariants } from '../../../api/signing/doctor/body-variants.ts';
import { differenceOf } from '../../../api/signing/doctor/mismatch.ts';
import { nameChanges, pairs } from '../../../api/signing/doctor/changes.ts';
import { diagnose } from '../../../api/signing/doctor/diagnose.ts';
import { readSignatureBlock } from '../../../api/signing/doctor/signature-block.ts';
import { otherForm, checkKeyId } from '../../../api/signing/signature/signature-header.ts';
import { checkDate } from '../../../api/signing/signature-check.ts';
import {
  checkDigest,
  readSignature,
  verifySignature,
} from '../../../api/signing/signature/check-signature-and-digest.ts';
import { agreedReading, issuerMismatch, keyOf, issuerSpelling } from '../../../api/signing/name/issuer.ts';
import { receivedHeaders } from '../../../api/signing/signature/signing-string.ts';
import { purchaseOf } from '../../../engine/accounts/rules/bank-texts.ts';
import { chanceOf } from '../../../engine/life/rules/chance.ts';
import { isKid, kidOf } from '../../../engine/payments/rules/kid.ts';
import { enteredAmount, parseAmount, parseInstructedAmount, parseSandboxAmount } from '../../../engine/values/money.ts';
import { codeNamed } from '../../../api/control/faults.ts';
import { pemBlocks } from '../../../api/signing/certificate-kit.ts';
import { problemOfTime } from '../../../engine/time/rules/cut-offs.ts';
import type { LocalDate } from '../../../engine/values/local-date.ts';
import { jsonOr } from '../../../engine/values/json-text.ts';
import { withoutTrailing } from '../../../engine/values/text.ts';
import { StandIns } from '../../../scripts/drift/stand-ins.ts';
import { entryOf } from '../../drift/entry-of.ts';
import { signedAt, testCertificate } from '../../lab/certificates.ts';
import { type Growing, worseThanLinear, worstFor } from '../../support/linear.ts';
import { sample, sameSample } from '../../support/sample.ts';
import { findIn, type TextFunction } from '../../support/source-patterns.ts';

const { functions, patterns } = findIn(['engine', 'api', 'scripts/drift']);
const certificate = readTppCertificate(Buffer.from(testCertificate().certificateBase64, 'base64'));
const issuer = `SN=${certificate.tpp.serial},CA=`;
const signature = (keyId: string) => `keyId="${keyId}",algorithm="rsa-sha256",headers="date",signature="AAAA"`;
const headers = (name: string, value: string) => receivedHeaders([name, value]);
const [dayOfPurchase, purchased] = ['2027-03-24' as LocalDate, { amount: '-49.90', currency: 'NOK' } as const];
const request = { method: 'GET', target: '/', rawHeaders: [], body: Buffer.alloc(0) };
const diagnosed = (names: readonly string[], changes: object) =>
  diagnose({ kind: 'signature', hash: 'sha256', digest: Buffer.alloc(32), request: { ...request, ...changes }, names });

const mask = maskOf('a-Token/of+the=bank');

/** Those that need more than a text, and what reads texts without being a function of one. */
const driven: Readonly<Record<string, (text: string) => unknown>> = {
  agreedReading: (text) => agreedReading(text, certificate.issuer),
  amountFaults: (text) => amountFaults('amount', text, 'NOK'),
  decimalFaults: (text) => decimalFaults('amount', text, 'NOK'),
  belowZero: (text) => belowZero('amount', text),
  minorIn: (text) => minorIn(text, 'NOK'),
  isBelow: (text) => [isBelow(text, '/v1/accounts'), isBelow('/v1/accounts', text)],
  ControlToken: (text) => new ControlToken('token').opens(text),
  checkDate: (text) => checkDate(headers('date', text), signedAt),
  checkDigest: (text) => checkDigest(headers('digest', text), Buffer.from('body')),
  checkKeyId: (text) => checkKeyId(text, certificate),
  'checkKeyId, issuer': (text) => checkKeyId(issuer + text, certificate),
  readSignatureBlock: (text) => readSignatureBlock(Buffer.from(text), certificate.x509.publicKey),
  readSignature: (text) => readSignature(text, request, headers('date', 'x'), certificate),
  'readSignature, keyId': (text) => readSignature(signature(issuer + text), request, headers('date', 'x'), certificate),
  bodyVariants: (text) => [...bodyVariants(Buffer.from(text))],
  differenceOf: (text) => differenceOf(text, `${text}x`),
  chanceOf: (text) => chanceOf(text, text)(1),
  jsonOr: (text) => jsonOr(text, null),
  isKid: (text) => [isKid(text, 'MOD10'), isKid(text, 'MOD11')],
  kidOf: (text) => [kidOf(text, 'MOD10'), kidOf(text, 'MOD11')],
  issuerSpelling: (text) => issuerSpelling(text, certificate.issuer),
  maskOf: mask,
  maskedHeaders: (text) => maskedHeaders([[text, text]], mask),
  maskedLines: (text) => maskedLines(text, mask),
  maskedValue: (text) => maskedValue({ text }, mask),
  nameChanges: (text) => nameChanges([text], [text]),
  otherForm: (text) => [otherForm(text, false), otherForm(text, true)],
  'diagnose, names': (text) => diagnosed([text], {}),
  'diagnose, header': (text) =>
    diagnosed(['x-note', 'digest'], { rawHeaders: ['X-Note', text, 'Digest', text, 'Host', text] }),
  'diagnose, target': (text) => diagnosed(['(request-target)'], { target: text, rawHeaders: ['Host', text] }),
  'diagnose, body': (text) =>
    diagnosed(['digest'], { body: Buffer.from(text), rawHeaders: ['Digest', 'SHA-256=AAAA'] }),
  issuerMismatch: (text) => issuerMismatch(text, certificate.issuer),
  keyOf: (text) => keyOf('2.5.4.3', text),
  pairs: (text) => pairs([text], [text]),
  enteredAmount: (text) => enteredAmount(text, 'NOK'),
  parseAmount: (text) => parseAmount(text, 'NOK'),
  parseInstructedAmount: (text) => parseInstructedAmount(text, 'NOK'),
  parseSandboxAmount: (text) => parseSandboxAmount(text, 'NOK'),
  pathTable: (text) => {
    const find = pathTable(['/accounts/:accountId'], () => null);
    return [find(text), find(`/accounts/${text}`)];
  },
  pemBlocks: (text) => pemBlocks(text, 'CERTIFICATE'),
  preferredMethod: (text) => preferredMethod({ 'x-psu-authmethod-preferred': text }),
  codeNamed: (text) => codeNamed(text, 'code'),
  purchaseOf: (posted) =>
    purchaseOf({ posted, bookingDate: null, otherDate: dayOfPurchase, charged: purchased, paid: purchased }),
  QueryReader: (text) => new QueryReader(queryIn(`/v1/accounts?${text}`), { limit: 1, dateFrom: 1 }).finish(),
  readHeaders: (text) => headerRows.map(({ name }) => readHeaders({ [name.toLowerCase()]: text }, [])),
  readQuery: (text) => readQuery(`/sandbox/clock?${text}`, ['limit']),
  receivedHeaders: (text) => receivedHeaders(['x-note', text]),
  StandIns: (text) => new StandIns().rewritten(entryOf({ name: text, iban: text, note: text })),
  validateBody: (text) =>
    validateBody(
      creditTransferBody,
      { instructedAmount: { amount: '1.00', currency: 'NOK' }, creditorName: text },
      { quirks: new Set() },
    ),
  verifySignature: (text) => verifySignature(text, Buffer.from(text), certificate.x509.publicKey),
  problemOfTime: (text) => problemOfTime(text, 'time'),
  withoutTrailing: (text) => withoutTrailing(text, '/'),
};

/** What reads no text of somebody else, and why. */
const own: readonly (readonly [what: RegExp, why: string])[] = [
  [/^engine\/(?!values\/|[\w-]+\/rules\/)/, 'paths, ids and names that were looked at where they came in'],
  [/^engine\/payments\/rules\/(transfer-rules|logical-duplicate)\.ts/, 'a product of the route; two paths of it'],
  [/^engine\/values\/text-form\.ts expecting/, 'words of our forms'],
  [/^engine\/values\/numbers-with-a-meaning\.ts refusalAt/, 'a creditor number that was looked at, sought in a map'],
  [/^api\/start\/(error-text|ledger-problem|make-folder|trusted-cas|fixtures)\.ts/, 'our own files'],
  [
    /^api\/hosting\/log\.ts|^api\/pipeline\/addresses\.ts (serverAddress|reachedHost|addressOf|isLoopback)/,
    'a level and a token of our own; our own address',
  ],
  [/^api\/(harness\/|signing\/test-tpp\.ts)/, 'what its own user gives'],
  [
    /^api\/(interface\/.*(-answers|visible-status|redirect-address|transaction-page|links|accounts)\.ts|pipeline\/endpoint\.ts link)/,
    'what the bank answers',
  ],
  [
    /^api\/control\/(name-or-object|fixtures-given)\.ts|^api\/start\/fixtures\.ts personaAt|^api\/pipeline\/problem\.ts|fault\.ts faultWithin/,
    'a name that was looked at; our own errors',
  ],
  [/^api\/control\/(answers\/|event-stream\.ts eventText)/, 'words of ours; written, not read'],
  [/^api\/guide\//, 'pages of the guide: ours'],
  [/^api\/sca\/landed\.ts withFlow/, 'an address of the TPP, which was looked at'],
  [/^api\/catalogue\//, 'scenarios of ours, and of who plays them'],
  [/^api\/signing\/certificate-kit\.ts/, 'the name of an authority of ours'],
  [/^api\/faults\/nearest\.ts/, 'names of settings'],
  [
    /^api\/(openapi\/|quirks\/contract\.ts|interface\/(answer-parts|refusal-answer)\.ts)/,
    'schemas, paths and ids of ours',
  ],
  [/^api\/sca\/(sca-page|payment-facts)\.ts/, 'compared; formatted; a token of ours'],
  [
    /^api\/console\//,
    'what the control plane answers; texts that its schemas look at; a cookie, cut at each semicolon',
  ],
  [
    /^api\/bodies\/(examples|rule|schema|signers)\.ts|^engine\/values\/members\.ts/,
    'names of members, words of ours; compared',
  ],
  [/^api\/signing\/signature\/signed-text\.ts digestOf/, 'a hash'],
  [/^api\/quirks\/hearing\.ts/, 'words of our quirk files'],
  [/^scripts\/drift\/(?!(?:escapes|numbers)\.ts)/, 'what its own user records'],
];
const label = ({ file, name }: TextFunction) => `${file} ${name}`;
const isOwn = (one: TextFunction) => own.some(([what]) => what.test(label(one)));
const strangers = functions.filter((one) => !isOwn(one));

/** What formats are made of: each of these many times over, some in turn, and behind what begins a format. */
const units = [
  ...Array.from({ length: 0x5f }, (_, code) => String.fromCharCode(0x20 + code)).filter(
    (one) => !/[b-zB-Z2-8]/.test(one),
  ),
  ...[
    '\t',
    '\n',
    '\r\n',
    '\0',
    'å',
    '\u00a0',
    '\ud800',
    '\ufb03',
    '\\"',
    '\\\\',
    '",',
    '" ',
    ', ',
    '%20',
    '%',
    '%41',
    '%2541',
    '&#49;',
    '&#x31;',
    '31:',
    '31',
  ],
  ...[
    'a=',
    'a=&',
    'C=NO,',
    'C=NO+',
    '/C=NO',
    '+CN=',
    'CN="',
    '\\xC3',
    '\\c3',
    '=?',
    '=?utf-8?q?a?= ',
    '=?utf-8?q?=41',
    '?=',
  ],
  ...[
    '[',
    '{"a":',
    '"a":1,',
    '[1,',
    '\\u0041',
    '-----BEGIN CERTIFICATE-----',
    '1.',
    '0x',
    '-1',
    'SHA-256=',
    'SHA-256=AAAA,',
    'x=',
  ],
];
const befores = [
  '',
  '{"',
  '["',
  'keyId="',
  'keyId="a",algorithm="rsa-sha256",headers="',
  'C=',
  '/C=',
  '#',
  '=?utf-8?q?',
  'P',
];

function worstTexts(file: string): Growing[] {
  const fromPatterns = patterns
    .filter((one) => one.file === file)
    .flatMap(({ source, flags }) => worstFor(source, flags));
  const general = units.map((unit) => ({ before: '', unit, after: '\u0001' }));
  const inside = befores.flatMap((before) =>
    ['\\', '"', ' ', 'a', '0', ',', '='].map((unit) => ({ before, unit, after: '' })),
  );
  return [...fromPatterns, ...general, ...inside];
}

function slowText(work: (text: string) => unknown, file: string, name: string): string | null {
  for (const growing of sample(name, worstTexts(file), 96)) {
    const slow = worseThanLinear(work, growing);
    if (slow !== null) return `${slow}; ${sameSample}`;
  }
  return null;
}

describe('a text costs its reader its length, not its square: 64 KB at most 8 times 16 KB', () => {
  test('every exported function over a text is driven here, or said to read none of somebody else', () => {
    expect(strangers.filter(({ name, alone }) => !alone && !(name in driven)).map(label)).toEqual([]);
    expect(strangers.length).toBeGreaterThan(50);
    for (const [what] of own) expect(functions.map(label).some((one) => what.test(one))).toBe(true);
  });

  test.each(strangers.filter(({ name }) => !(name in driven)).map((one) => [label(one), one] as const))(
    '%s',
    async (_label, { file, name, takes }) => {
      const module = (await import(join('../../..', file))) as Record<string, (given: unknown) => unknown>;
      const work = module[name];
      if (work === undefined) throw new Error(`${file} has no ${name}`);
      const given =
        takes === 'Uint8Array' || takes === 'Buffer' ? (text: string) => Buffer.from(text) : (text: string) => text;
      expect(slowText((text) => work(given(text)), file, name)).toBeNull();
    },
  );

  test.each(Object.entries(driven))('%s', (name, work) => {
    expect(slowText(work, functions.find((one) => one.name === name.split(',')[0])?.file ?? '', name)).toBeNull();
  });

  test('it finds one that is not linear', () => {
    // Step by step: the scans of `indexOf` are so fast that the calls around them cost as much.
    const quadratic = (text: string): number => {
      let found = 0;
      for (let from = 0; from < text.length; from += 1)
        for (let at = from; at < text.length; at += 1) if (text.charCodeAt(at) === 2) found += 1;
      return found;
    };
    expect(slowText(quadratic, '', 'quadratic')).not.toBeNull();
  });
});
