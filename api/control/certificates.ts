import { quote } from '../../engine/values/text.ts';
import { setCertificateStatus, type CertificateStatus } from '../../engine/tpps/tpps.ts';
import * as Type from 'typebox';
import { certificateFaults, type CertificateFaultName, makeKitCertificate } from '../signing/certificate-kit.ts';
import { normaliseSerial } from '../signing/certificate/serial.ts';
import { faultCode } from './answers/names.ts';
import { orNull } from './answers/forms.ts';
import { withExample } from '../bodies/examples.ts';
import { choice, closed, listOf, optional, shortText, text, titled } from '../bodies/schema.ts';
import { type ControlCall, controlEndpoint, pemType } from './control-endpoint.ts';
import type { AnswerSeal } from '../signing/answer-seal.ts';
import { oneOf } from './read-query.ts';
import { Problem, refusedAt } from '../pipeline/problem.ts';
import { testTppName } from '../signing/test-tpp.ts';
import { roleOids, type Psd2Role } from '../signing/certificate/psd2-roles.ts';
import { fileMessageOf } from '../start/error-text.ts';

/** `POST /sandbox/certificates`. */
export const certificateBody = titled(
  'CertificateRequest',
  'A TPP certificate to make: a good one, or one with a fault.',
  {
    expected: 'an object with name, roles and fault, each optional',
    examples: [{ name: 'default', fault: 'expired' }],
  },
).closed({
  name: optional(
    text('the name of the TPP, 1 to 60 letters, digits and hyphens; the same name is the same TPP', {
      pattern: testTppName.source,
      examples: ['default'],
    }),
  ),
  roles: optional(
    listOf(choice('a PSD2 role', Object.keys(roleOids) as Psd2Role[]), 'the PSD2 roles that the certificate states', {
      minItems: 1,
      maxItems: 4,
      uniqueItems: true,
      examples: [['PSP_AI', 'PSP_PI']],
    }),
  ),
  fault: optional(shortText('the name of the fault that the certificate gets', 100, 'expired')),
});

const certificateStatus = titled(
  'CertificateStatus',
  'The status that the next check of the certificate finds.',
).closed({
  serial: text('the serial number, hexadecimal', '1A2B'),
  status: choice('the status of the certificate', ['good', 'blocked', 'revoked']),
});

/**
 * `POST /sandbox/certificates` makes a TPP certificate and its key, good or with a fault, and names the codes of
 * requests signed with it. The unsigned door then signs with a good certificate that has a name. `POST
 * /sandbox/certificates/{serial}/block`, `/revoke` and `/restore` set the status that the next check finds.
 */
export const certificates = [
  controlEndpoint('POST /certificates', {
    summary: 'Make a TPP certificate and its key, good or with a fault',
    answer: titled('KitCertificate', 'A TPP certificate for a year, and its key.', {
      examples: [{ code: { any: 'CERTIFICATE_EXPIRED', ca: 'CERTIFICATE_EXPIRED' } }],
    }).closed({
      certificate: text('the certificate, PEM', '-----BEGIN CERTIFICATE-----\n...'),
      key: text('its key, PKCS#8, PEM', '-----BEGIN PRIVATE KEY-----\n...'),
      keyId: text('the keyId for the header Signature', 'SN=1A2B,CA=CN=Sandbank CA'),
      serial: text('the serial number, hexadecimal', '1A2B'),
      code: closed(
        { any: orNull(faultCode), ca: orNull(faultCode) },
        {
          description:
            'the code of the refusal, by SANDBANK_TPP_TRUST, for a call that needs a role; null if the bank accepts the certificate',
        },
      ),
    }),
    body: certificateBody,
    handle: async ({ readBody, bank, sandboxCa, tpps }) => {
      const { name, roles = null, fault: faultName } = readBody();
      const fault = faultName === undefined ? null : faultNamed(faultName, roles !== null);
      const made = await makeKitCertificate(
        { name: name ?? 'default', roles, fault },
        await withSandboxCa(sandboxCa),
        bank.security.now(),
      );
      const { any = null, ca = null, status } = fault === null ? {} : certificateFaults[fault];
      if (status !== undefined) await setCertificateStatus(bank, made.serial, status);
      if (name !== undefined && fault === null) tpps.put(name, made);
      return { ...made, code: { any, ca } };
    },
  }),
  endpoint('block', 'Block a certificate', 'blocked'),
  endpoint('revoke', 'Revoke a certificate', 'revoked'),
  endpoint('restore', 'Make a blocked or revoked certificate good again', null),
] as const;

/** `GET /sandbox/ca` (rules.md G13). */
export const caCertificate = controlEndpoint('GET /ca', {
  summary: 'The certificate of the sandbox CA, for clients of TLS and of signed answers',
  answerType: pemType,
  answer: Type.Unsafe({ type: 'string', contentMediaType: pemType, description: 'the certificate, PEM' }),
  handle: async ({ sandboxCa }) => (await withSandboxCa(sandboxCa)).certificatePem,
});

/** `GET /sandbox/bank-certificate`: what the signed answers of the bank are verified with (rules.md G14). */
export function bankCertificate(seal: AnswerSeal) {
  return controlEndpoint('GET /bank-certificate', {
    summary: 'The certificate by which the bank signs its answers',
    answer: titled('BankCertificate').closed({
      certificate: text('the certificate, PEM', '-----BEGIN CERTIFICATE-----\n...'),
    }),
    handle: async () => ({ certificate: (await withSandboxCa(() => seal.current())).certificate.toString() }),
  });
}

function endpoint<const Verb extends 'block' | 'revoke' | 'restore'>(
  verb: Verb,
  summary: string,
  status: CertificateStatus,
) {
  return controlEndpoint(`POST /certificates/:serial/${verb}`, {
    summary,
    answer: withExample(certificateStatus, { status: status ?? 'good' }),
    handle: async ({ bank, params }: ControlCall<never>) => {
      const serial = serialOf(params['serial'] ?? '');
      await setCertificateStatus(bank, serial, status);
      return { serial, status: status ?? ('good' as const) };
    },
  });
}

function faultNamed(text: string, hasRoles: boolean): CertificateFaultName {
  const names = Object.keys(certificateFaults) as CertificateFaultName[];
  const name = oneOf(names, text, 'fault', `There is no fault ${quote(text)}.`);
  if (hasRoles && /-roles?$/.test(name)) {
    throw refusedAt('roles', `The fault ${name} sets the roles itself. Leave roles out.`);
  }
  return name;
}

/** Normalises a serial number in any spelling (rules.md G3), also of a certificate that the bank does not know. */
function serialOf(text: string): string {
  const serial = text.length > 80 ? null : normaliseSerial(text.replaceAll(':', ''));
  if (serial !== null) return serial;
  const detail = `${quote(text)} is no serial number: expected hexadecimal, as in SN= of the keyId.`;
  throw refusedAt('serial', detail);
}

/** Does work that needs the sandbox CA. If its file cannot be read or written, throws a Problem 503. */
export async function withSandboxCa<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Problem({ status: 503, detail: `The sandbox CA cannot be used: ${fileMessageOf(error)}` });
  }
}
