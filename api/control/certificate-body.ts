import * as Type from 'typebox';
import { testTppName } from '../signing/test-tpp.ts';
import { roleOids, type Psd2Role } from '../signing/certificate/psd2-roles.ts';
import { choice, closed } from '../bodies/schema.ts';

/** `POST /sandbox/certificates`. */
export const certificateBody = closed(
  {
    name: Type.Optional(
      Type.String({
        description: 'the name of the TPP, 1 to 60 letters, digits and hyphens; the same name is the same TPP',
        pattern: testTppName.source,
        examples: ['default'],
      }),
    ),
    roles: Type.Optional(
      Type.Array(choice('a PSD2 role', Object.keys(roleOids) as Psd2Role[]), {
        description: 'the PSD2 roles that the certificate states',
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        examples: [['PSP_AI', 'PSP_PI']],
      }),
    ),
    fault: Type.Optional(
      Type.String({
        description: 'what is wrong with the certificate, by name',
        minLength: 1,
        maxLength: 100,
        examples: ['expired'],
      }),
    ),
  },
  {
    title: 'CertificateRequest',
    description: 'A TPP certificate to make: a good one, or one with a fault.',
    expected: 'an object with name, roles and fault, each where it matters',
    examples: [{ name: 'default', fault: 'expired' }],
  },
);
