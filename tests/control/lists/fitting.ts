import type { Answer, ControlClient } from '../control-client.ts';

/** The body of the answer to a call of one of the lists. Throws unless it is a 200. That it fits its schema, check-answers.ts sees. */
export async function fitting(
  control: ControlClient,
  method: 'GET' | 'POST',
  target: string,
  body?: unknown,
): Promise<Answer['body']> {
  const answer = await (method === 'GET' ? control.get(target) : control.post(target, body));
  if (answer.status !== 200) throw new Error(`${target}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
