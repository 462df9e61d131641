import type { asn1 } from 'node-forge';
import { encode, toDer } from './der-encoding.ts';
import { loadForge } from './forge.ts';
import { psd2StatementOid, qcStatementsOid, roleOids } from './psd2-roles.ts';
import type { Psd2Role } from './psd2-roles.ts';

const basicConstraints = '2.5.29.19';
const keyUsage = '2.5.29.15';

/** The extensions of an issued certificate: what its key may do, and, unless null, its PSD2 roles (ETSI TS 119 495). */
export function encodeExtensions(authority: boolean, roles: readonly Psd2Role[] | null): asn1.Asn1 {
  // Bit 0 is digitalSignature, bit 5 keyCertSign; the first byte counts the unused bits.
  const usage = Buffer.from(authority ? [3, 2, 2, 4] : [3, 2, 7, 128]);
  return encode.sequence(
    extension(basicConstraints, true, toDer(authority ? encode.sequence(encode.boolean(true)) : encode.sequence())),
    extension(keyUsage, true, usage),
    ...(roles === null ? [] : [extension(qcStatementsOid, false, toDer(psd2Statement(roles)))]),
  );
}

function extension(oid: string, critical: boolean, content: Uint8Array): asn1.Asn1 {
  return encode.sequence(encode.oid(oid), ...(critical ? [encode.boolean(true)] : []), encode.bytes(content));
}

function psd2Statement(roles: readonly Psd2Role[]): asn1.Asn1 {
  const { UTF8 } = loadForge().asn1.Type;
  const rolesOfPsp = roles.map((role) => encode.sequence(encode.oid(roleOids[role]), encode.text(UTF8, role)));
  const authority = [encode.text(UTF8, 'Finanstilsynet'), encode.text(UTF8, 'NO-FSA')];
  return encode.sequence(
    encode.sequence(encode.oid(psd2StatementOid), encode.sequence(encode.sequence(...rolesOfPsp), ...authority)),
  );
}
