import { isObject, type JsonObject } from '../quirks/json.ts';
import type { ApiDescription, ApiDocument, Content, DocumentedAnswer, Operation } from './document.ts';

/** What a document says, with every part in its place: for its pages. */
export function describedBy({ info, servers, tags, paths, components }: ApiDocument): ApiDescription {
  const known = new Map<string, unknown>();
  const whole = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(whole);
    if (!isObject(part)) return part;
    const { $ref, ...own } = part;
    const members = Object.entries(own).map(([name, value]) => [name, whole(value)]);
    if (typeof $ref !== 'string') return Object.fromEntries(members);
    const [kind = '', title = ''] = $ref.split('/').slice(2);
    const shared = known.get($ref) ?? whole((components[kind] as JsonObject)[title]);
    known.set($ref, shared);
    return { ...(kind === 'schemas' && { title }), ...(shared as JsonObject), ...Object.fromEntries(members) };
  };
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, told]) => operationOf(verb, path, whole(told) as Told)),
  );
  const { title, version, description } = info as { readonly [Name in 'title' | 'version' | 'description']: string };
  return { about: { title, version, description, servers, tags }, operations };
}

/** An operation of a document. */
interface Told extends Omit<Operation, 'tag' | 'body' | 'answers' | 'rules'> {
  readonly tags: readonly [string];
  readonly 'x-rules'?: readonly string[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, Omit<DocumentedAnswer, 'content'> & { readonly content?: Contents }>>;
}

type Contents = Readonly<Record<string, Omit<Content, 'mediaType'>>>;

function operationOf(verb: string, path: string, told: Told): Operation {
  const { tags, requestBody, responses, 'x-rules': rules = [], parameters = [], ...own } = told;
  const contentsIn = (contents: Contents): readonly Content[] =>
    Object.entries(contents).map(([mediaType, content]) => ({ ...content, mediaType }));
  const answers = Object.entries(responses).map(([status, { content, ...answer }]) => {
    return [status, { ...answer, content: content === undefined ? null : contentsIn(content) }];
  });
  return {
    ...own,
    method: verb.toUpperCase() as Operation['method'],
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    tag: tags[0],
    rules,
    parameters,
    body: requestBody === undefined ? null : contentsIn(requestBody.content),
    bodyIsOptional: requestBody?.required === false,
    answers: Object.fromEntries(answers) as Operation['answers'],
  };
}
