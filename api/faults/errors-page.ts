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

const groups = {
  'Certificate and signature': signingFaults,
  'Form of the request': requestFaults,
  'Access and consents': accessFaults,
  Payments: paymentFaults,
};

const introduction = `# What does a refusal mean, and what do I do?

Every refusal is \`{"tppMessages": [{"category": "ERROR", "code", "path"?, "text"}]}\`; the first message gives the HTTP status.

1. Read the \`text\`. It says what was wrong, and its last line opens the request in the journal. \`path\` names the member at fault.
2. Find the code below, and do what it says.
3. If there is no answer, or the status is 500 or above, send the same call again with the same \`X-Request-ID\`. You get the first answer,
   or the bank carries the call out now.

${Object.entries(groups)
  .map(([name, faults]) => `- **${name}:** ${Object.keys(faults).map(linkTo).join(', ')}.`)
  .join('\n')}

## Provoke a refusal

You can provoke every code: an armed fault refuses the next matching call that the bank would otherwise carry out. The answer has the
status, path and links of a normal refusal; only the text differs:

\`\`\`sh
curl -H 'content-type: application/json' -d '{"code": "ACCESS_EXCEEDED", "method": "GET", "path": "/v1/accounts/*/balances", "times": 2}' \\
  http://localhost:7263/sandbox/faults
\`\`\`

\`method\` and \`path\` are optional. The bank compares whole path segments from the first one on; \`*\` matches any one segment.
A normal refusal leaves the fault armed. A provoked refusal changes nothing else.

## Break or delay an answer

An armed fault can also break the answer or delay it, as a network does. Send one of \`status\`, \`cut\` and \`close\`
in place of \`code\`. Send a \`delay\` alone, or together with \`code\` or one of these three:

\`\`\`sh
curl -H 'content-type: application/json' -d '{"delay": "PT2S", "close": true, "method": "POST", "path": "/v1/payments"}' \\
  http://localhost:7263/sandbox/faults
\`\`\`

| member            | what the client gets                                                |
| ----------------- | ------------------------------------------------------------------- |
| \`"status": 503\`   | an HTML page, as a gateway in front of the bank sends it            |
| \`"status": 429\`   | the same of a gateway that gets too many calls; \`Retry-After: 1\`    |
| \`"cut": true\`     | half of the answer; then the connection closes                      |
| \`"close": true\`   | nothing; the connection closes                                      |
| \`"delay": "PT5S"\` | the answer after this time, PT60S at most; needs \`method\` or \`path\` |

The fault strikes after the commit: the bank carries the call out, and the client does not know. The same call with the same
X-Request-ID gets the first answer. With \`"when": "before"\` the bank carries nothing out. If such a fault only delays the call, the bank
carries it out after the delay.

\`"status": 503\` with \`from\` and \`until\`, times of the bank clock, is a window of maintenance: every call between them gets the page, and nothing is
carried out.

\`GET /sandbox/faults\` lists the armed faults. \`DELETE /sandbox/faults\`, \`POST /sandbox/reset\` and \`POST /v1/sandbox/initialize\` disarm them all.
The \`DELETE\` lets a delayed call go on. The reset and the initialize close the connections of delayed calls. \`npm run generate\` makes this page from \`api/faults\`.`;

function linkTo(code: string): string {
  return `[${code}](#${code.toLowerCase()})`;
}

const places: Readonly<Record<FaultPlace, string>> = {
  account: 'for an account or card account in the path',
  path: 'for another resource in the path',
  payload: 'for a fault in the body',
  method: 'for the method',
  size: 'for the size of the body',
  'header-size': 'for the size of the headers',
  time: 'for a request that arrives too slowly',
  'content-type': 'for the content type',
  unavailable: 'while the bank cannot take calls',
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
  const isOfSignature = code === 'SIGNATURE_INVALID' || code === 'SIGNATURE_MISSING';
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format([
    String(usual.status),
    ...others.map(({ place, status }) => `${status} ${places[place]}`),
    ...(isOfSignature ? ['401 with the quirk `signature-401`'] : []),
  ]);
}
