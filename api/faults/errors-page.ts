import { type FaultCode, faultCodes, type FaultPlace } from '../../engine/values/fault.ts';
import { accessFaults, type FaultAdvice, paymentFaults, requestFaults, signingFaults } from './fault-advice.ts';
import { statusesOf } from './fault-response.ts';

/** Advice on every code. Total: a missing code does not compile. */
export const faultGuide: Readonly<Record<FaultCode, FaultAdvice>> = {
  ...signingFaults,
  ...requestFaults,
  ...accessFaults,
  ...paymentFaults,
};

const introduction = `# Error codes

Made by \`node scripts/errors-md.ts\` from the table that the answers come from: change it there.

Every refusal is \`{"tppMessages": [{"category": "ERROR", "code", "path"?, "text"}]}\`; the first message gives the HTTP status.
Every code, whatever causes it, can be provoked for the next call that the bank would have carried out. The answer is that of the
bank's own refusal of this call, with its status, path and links, but for the text:

\`\`\`sh
curl -H 'content-type: application/json' -d '{"code": "ACCESS_EXCEEDED", "method": "GET", "path": "/v1/accounts/*/balances", "times": 2}' \\
  http://localhost:8080/sandbox/faults
\`\`\`

\`method\` and \`path\` may be left out; a path is compared by whole segments from its beginning, \`*\` stands for any one of them.
A call that the bank refuses by itself is answered so, and leaves the fault armed; a provoked refusal leaves nothing behind.
\`GET /sandbox/faults\` lists what is armed; \`DELETE\` disarms it, and so do \`POST /sandbox/reset\` and \`POST /v1/sandbox/initialize\`.`;

const places: Readonly<Record<FaultPlace, string>> = {
  account: 'for an account or card account in the path',
  path: 'for another resource in the path',
  payload: 'for a fault in the body',
  method: 'for the method',
  size: 'for the size of the body',
  'header-size': 'for the size of the headers',
  time: 'for a request that takes too long to come',
  'content-type': 'for the content type',
  ledger: 'while the bank cannot use its ledger',
};

/** The text of docs/errors.md. */
export function errorsPage(): string {
  return [introduction, ...faultCodes.map(section)].join('\n\n') + '\n';
}

function section(code: FaultCode): string {
  const { when, remedy, provoke } = faultGuide[code];
  return `## ${code}

HTTP ${statusText(code)}.

- **When:** ${when}
- **What to do:** ${remedy}
- **Provoke it:** ${provoke ?? 'No call of this bank causes it:'} ${provoke === null ? '' : 'Or '}\`POST /sandbox/faults {"code": "${code}"}\`.`;
}

function statusText(code: FaultCode): string {
  const [usual, ...others] = statusesOf(code);
  const quirk =
    code === 'SIGNATURE_INVALID' || code === 'SIGNATURE_MISSING' ? ', 401 with the quirk `signature-401`' : '';
  return [usual.status, ...others.map(({ place, status }) => `${status} ${places[place]}`)].join(', ') + quirk;
}
