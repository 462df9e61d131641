import type { Response } from 'express';
import { tell } from './request-log.ts';

/** Ends an answer with a JSON body, and tells its text to who follows the request. */
export function sendJson(response: Response, body: unknown): void {
  const answer = JSON.stringify(body);
  tell(response, { answer });
  response.type('application/json').send(answer);
}
