import { expect, test } from '@jest/globals';
import { parseDer } from '../../api/signing/certificate/der.ts';
import { psd2Roles } from '../../api/signing/certificate/psd2-roles.ts';

/* rules.md G7: which statements of roles are read, by the bytes of ETSI TS 119 495, 5.1. */

const value = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => value(0x30, ...parts);
const utf8 = (text: string): Buffer => value(0x0c, Buffer.from(text));
const oid = (hex: string): Buffer => value(0x06, Buffer.from(hex, 'hex'));
const [statementOid, extensionOid] = [oid('040081982702'), oid('2b06010505070103')];
const [payments, accounts] = [
  [oid('04008198270102'), utf8('PSP_PI')],
  [oid('04008198270103'), utf8('PSP_AI')],
] as const;
const authority = [utf8('Finanstilsynet'), utf8('NO-FSA')];
const statement = (roles: Buffer, ...more: readonly Buffer[]): Buffer =>
  sequence(statementOid, sequence(roles, ...more));
const both = sequence(sequence(...payments), sequence(...accounts));
const extension = (...statements: readonly Buffer[]): Buffer =>
  sequence(extensionOid, value(0x04, sequence(...statements)));
const rolesIn = (...extensions: readonly Buffer[]) => psd2Roles(parseDer(sequence(...extensions)));

test('G7: two roles and their authority are read', () => {
  expect(rolesIn(extension(statement(both, ...authority)))).toEqual(new Set(['PSP_PI', 'PSP_AI']));
});

test.each<[what: string, extensions: readonly Buffer[]]>([
  [
    'two roles in one flat SEQUENCE',
    [extension(statement(sequence(sequence(...payments, ...accounts)), ...authority))],
  ],
  ['a role without its name', [extension(statement(sequence(sequence(payments[0])), ...authority))]],
  ['no nCAName', [extension(statement(both, utf8('NO-FSA')))]],
  ['no authority', [extension(statement(both))]],
  ['a member more', [extension(statement(both, ...authority, utf8('x')))]],
  ['two statements of roles', [extension(statement(both, ...authority), statement(both, ...authority))]],
  ['the extension twice', [extension(statement(both, ...authority)), extension(statement(both, ...authority))]],
])('G7: %s is malformed', (_what, extensions) => {
  expect(() => rolesIn(...extensions)).toThrow(/^DER: expected/);
});
