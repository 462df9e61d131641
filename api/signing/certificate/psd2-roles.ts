import { type DerValue, extensionContent, membersOf, oidOf, parseDer } from './der.ts';

export type Psd2Role = 'PSP_AS' | 'PSP_PI' | 'PSP_AI' | 'PSP_IC';

/** OIDs of ETSI TS 119 495: the QCStatement that lists the roles, and each role. */
export const qcStatementsOid = '1.3.6.1.5.5.7.1.3';
export const psd2StatementOid = '0.4.0.19495.2';
export const roleOids: Readonly<Record<Psd2Role, string>> = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
};

const roleOfOid = new Map(Object.entries(roleOids).map(([role, oid]) => [oid, role as Psd2Role]));

/**
 * PSD2 roles in a certificate's extensions (their SEQUENCE); null when there is no statement of roles. Roles are read
 * from their OIDs, not their names. Throws a plain Error for malformed statements: another number of members than ETSI
 * TS 119 495 has, or two statements of roles.
 */
export function psd2Roles(extensions: DerValue): ReadonlySet<Psd2Role> | null {
  const content = extensionContent(extensions, qcStatementsOid);
  if (content === null) return null;
  const statements = membersOf(parseDer(content));
  const [statement, ...more] = statements.filter((one) => oidOf(membersOf(one)[0]) === psd2StatementOid);
  if (statement === undefined) return null;
  if (more.length > 0) throw new Error('DER: expected one statement of roles');
  const [, info] = exactly(2, statement);
  const [rolesOfPsp] = exactly(3, info);
  const roles = membersOf(rolesOfPsp).map((role) => roleOfOid.get(oidOf(exactly(2, role)[0])));
  return new Set(roles.filter((role) => role !== undefined));
}

function exactly(count: number, value: DerValue | undefined): readonly DerValue[] {
  const members = membersOf(value);
  if (members.length !== count) throw new Error(`DER: expected ${count} members`);
  return members;
}
