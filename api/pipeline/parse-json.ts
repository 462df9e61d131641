import { oneLine } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { jsonShapeFault } from './json-shape.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const longestReason = 200;

/**
 * The value of a JSON body. Throws a Refusal (FORMAT_ERROR) when the body is empty, not UTF-8, not JSON, nested deeper
 * than 64 levels, names a member twice in one object, or names one `__proto__`.
 */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) throw refusal('The body is empty. Send a JSON body, as application/json.');
  const text = decode(body);
  const fault = jsonShapeFault(text);
  if (fault !== null) throw refusal(fault);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, longestReason) : 'no reason given';
    throw refusal(`The body is not JSON: ${reason}. Correct it and send it again.`);
  }
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw refusal('The body is not UTF-8. Encode it as UTF-8.');
  }
}

function refusal(text: string): Refusal {
  return new Refusal({ code: 'FORMAT_ERROR', text });
}
