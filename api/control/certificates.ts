import { quote } from '../../engine/values/text.ts';
import { setCertificateStatus, type CertificateStatus } from '../../engine/tpps/certificate-status.ts';
import { normaliseSerial } from '../signing/certificate/serial.ts';
import type { ControlEndpoint } from './control-endpoint.ts';
import { Problem } from '../pipeline/problem.ts';

/** `POST /sandbox/certificates/{serial}/block`, `/revoke`, `/restore`: sets the status that the next check of the certificate finds. */
export const certificates: readonly ControlEndpoint[] = [
  endpoint('block', 'blocked'),
  endpoint('revoke', 'revoked'),
  endpoint('restore', null),
];

function endpoint(verb: string, status: CertificateStatus): ControlEndpoint {
  return {
    method: 'POST',
    path: `/certificates/:serial/${verb}`,
    handle: async ({ bank, params }) => {
      const serial = serialOf(params['serial'] ?? '');
      await setCertificateStatus(bank, serial, status);
      return { serial, status: status ?? 'good' };
    },
  };
}

/** Normalises a serial number in any spelling (rules.md G3). The bank need not know the certificate. */
function serialOf(text: string): string {
  const serial = text.length > 80 ? null : normaliseSerial(text.replaceAll(':', ''));
  if (serial !== null) return serial;
  const detail = `${quote(text)} is no serial number: expected hexadecimal, as in SN= of the keyId.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'serial', detail }] });
}
