import { Refusal } from '../../engine/values/fault.ts';

/**
 * Says in one line what is wrong with a JSON file of the settings. Files are checked as request bodies are; their texts are
 * reworded here: a file is written, not sent.
 */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  return error.faults.map(({ path, text }) => (path === undefined ? '' : `${path}: `) + ofFile(text)).join('; ');
}

function ofFile(text: string): string {
  return text
    .replace(/\bThe body\b/g, 'The file')
    .replace(' and send it again', '')
    .replace('Send a JSON body, as application/json', 'Write a JSON object')
    .replace(/\bSend\b/g, 'Write');
}
