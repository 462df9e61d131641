import type { Response } from 'express';
import { JsonText } from './endpoint.ts';
import { tellAnswer } from './request-log.ts';

/** Ends an answer with a JSON body, of a value or of a {@link JsonText}, and tells its text to who follows the request. */
export function sendJson(response: Response, body: unknown): void {
  const answer = body instanceof JsonText ? body.text : JSON.stringify(body);
  tellAnswer(response, answer);
  response
    .set('content-type', 'application/json; charset=utf-8')
    .set('content-length', String(Buffer.byteLength(answer)));
  // As text, which goes out with the headers in one write; express makes bytes of it, which do not.
  response.end(response.req.method === 'HEAD' ? undefined : answer, 'utf8');
}
