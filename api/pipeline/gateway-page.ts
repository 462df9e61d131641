import type { Response } from 'express';
import { keepAnswer } from './request-log.ts';

/** The page of a gateway in front of the bank: it knows nothing of the interface. */
export const gatewayPage = `<html>
<head><title>503 Service Temporarily Unavailable</title></head>
<body>
<center><h1>503 Service Temporarily Unavailable</h1></center>
<hr><center>gateway</center>
<!-- From the sandbox: POST /sandbox/faults, or the quirk maintenance. -->
</body>
</html>
`;

/** Answers as a gateway does whose bank does not answer (rules.md E6c, Q11). */
export function sendGatewayPage(response: Response): void {
  keepAnswer(response, gatewayPage);
  const head = { 'content-type': 'text/html', 'content-length': Buffer.byteLength(gatewayPage) };
  response.writeHead(503, head).end(response.req.method === 'HEAD' ? undefined : gatewayPage);
}
