import { startServer } from '../../api/hosting/server.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import type { ControlRecording } from '../../api/openapi/recorded-control-answers.ts';
import { readConfig } from '../../api/start/config.ts';
import { commonRefusals } from './common-refusals.ts';
import { done, get } from './control-calls.ts';
import { begin, ControlStory, now, psu } from './control-story.ts';
import { examplesOf } from './send-example.ts';
import { recordedAddress, steadied } from './steadied.ts';

/** Examples that fit another payment than a single one that waits for its execution date. */
const ofAnotherPayment: readonly string[] = ['item-reason'];

/** A bundle is no JSON, and only one of a very large ledger is refused. */
export const withoutExample: readonly string[] = ['/sandbox/bundle'];

/** The ids of the story's bank that stand in answers. A short one would stand in for other things too. */
const ids: readonly string[] = ['paymentId', 'scaId', 'requestId'];

/**
 * Sends every example of the document of a control plane to a bank in which something has happened, each to the same state, and
 * calls that are refused with each status. Throws for an example that is not answered with 200.
 */
export async function recordControlAnswers(): Promise<ControlRecording> {
  const flags = ['--port', '0', '--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', begin];
  const server = await startServer(readConfig({}, [...flags, '--id-seed', 'examples', '--log-level', 'silent']));
  try {
    const story = await ControlStory.tell(server.address);
    const document = (await done(server.address, get('/sandbox/openapi.json'))) as unknown as ApiDocument;
    const answers: Record<string, Record<string, Record<string, unknown>>> = {};
    const samples: Record<string, string> = { psu };
    const keep = (key: string, kind: string | number, name: string, body: unknown): void => {
      ((answers[key] ??= {})[kind] ??= {})[name] = body;
    };
    for (const [template, item] of Object.entries(document.paths)) {
      if (template.endsWith('openapi.json') || withoutExample.includes(template)) continue;
      for (const [verb, operation] of Object.entries(item)) {
        const key = `${verb.toUpperCase()} ${template}`;
        for (const [name, example] of examplesOf(document, verb.toUpperCase(), template)) {
          if (ofAnotherPayment.includes(name)) continue;
          for (const id of ids) if (example.params[id] !== undefined) samples[id] = example.params[id];
          for (const type of typesOf(operation)) {
            const { status, body } = await story.answerTo(key, example, type);
            if (status !== 200) throw new Error(`${key} is answered ${status}: ${JSON.stringify(body)}`);
            keep(key, type, name, body);
          }
        }
      }
    }
    for (const [key, { status, body }] of await story.ownRefusals()) keep(key, status, 'example', body);
    for (const [key, status] of ownStatuses(document)) {
      if (answers[key]?.[status] === undefined) throw new Error(`Nothing brought about the ${status} of ${key}`);
    }
    const recording = { today: now.slice(0, 10), address: recordedAddress, samples, answers };
    const names = { [server.address]: recordedAddress, [new URL(server.address).host]: new URL(recordedAddress).host };
    return steadied({ ...recording, refusals: await commonRefusals() }, names, now);
  } finally {
    await server.stop();
  }
}

/** Each status of a refusal that an operation has for itself, by method and path. */
function ownStatuses({ paths }: ApiDocument): readonly (readonly [key: string, status: string])[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const { responses } = operation as { readonly responses: Readonly<Record<string, { readonly $ref?: string }>> };
      const own = Object.entries(responses).filter(([status, { $ref }]) => $ref === undefined && Number(status) >= 400);
      const isTold = template !== '/health' && template !== '/ready' && !withoutExample.includes(template);
      return !isTold ? [] : own.map(([status]) => [`${verb.toUpperCase()} ${template}`, status] as const);
    }),
  );
}

/** Media types of the 200 of an operation. */
function typesOf(operation: Readonly<Record<string, unknown>>): readonly string[] {
  const { responses } = operation as { readonly responses: { readonly 200: { readonly content: object } } };
  return Object.keys(responses[200].content);
}
