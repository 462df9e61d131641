import type { asn1 } from 'node-forge';
import { loadForge } from './forge.ts';
import { encode } from './der-encoding.ts';

/** What goes into the name of an issued certificate. */
export interface CertificateName {
  readonly commonName: string;
  readonly organization: string;
  readonly organizationIdentifier?: string;
}

/** The DER tree of `C=NO, O, organizationIdentifier, CN`, in that order, as Norwegian issuers have it. */
export function encodeName(name: CertificateName): asn1.Asn1 {
  const { Type } = loadForge().asn1;
  const attribute = (oid: string, value: string, type: asn1.Type = Type.UTF8) =>
    encode.set(encode.sequence(encode.oid(oid), encode.text(type, value)));
  return encode.sequence(
    attribute('2.5.4.6', 'NO', Type.PRINTABLESTRING),
    attribute('2.5.4.10', name.organization),
    ...(name.organizationIdentifier === undefined ? [] : [attribute('2.5.4.97', name.organizationIdentifier)]),
    attribute('2.5.4.3', name.commonName),
  );
}
