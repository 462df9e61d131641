import { unescaped, words } from '../../../engine/values/text.ts';
import { parseImfFixdate } from '../signature/signing-string.ts';
import { digestOf } from '../signature/signed-text.ts';
import { bodyVariants } from './body-variants.ts';
import type { Change, Draft } from './changes.ts';

/** The parts of a request that the changes of values use. */
interface ValuesSent {
  readonly target: string;
  readonly body: Uint8Array;
}

/** Other values of one name, each with words that say which. */
type Variants = readonly (readonly [what: string, value: string])[];

/** Mistakes in the values of the signed names of a draft. */
export function valueChanges(draft: Draft, { target, body }: ValuesSent): readonly Change[] {
  const { names, values } = draft;
  const valueOf = (name: string): string => values.get(name) ?? '';
  return names.flatMap((name) => {
    /** The variants as changes, without the value that was sent. */
    const changes = (did: string, cure: string, variants: Variants): readonly Change[] =>
      variants
        .filter(([, value]) => value !== valueOf(name))
        .map(([what, value]) => ({
          did: `${did} ${what}`,
          cure,
          to: { values: new Map([...values, [name, value]]) },
        }));
    switch (name) {
      case 'date':
        return [
          ...changes('has another Date,', 'Send the Date that you signed', otherDates(valueOf('date'))),
          ...changes('has the date', 'Sign the Date as it is sent', spellingsOfDate(valueOf('date'))),
        ];
      case 'digest':
        return [
          ...changes('has the Digest', signDigest, spellingsOfDigest(valueOf('digest'))),
          ...changes('has the Digest of', signDigest, digestsOfBodies(body)),
        ];
      case '(request-target)':
        return [
          { did: 'has the method in capitals', cure: signTarget, to: { method: draft.method.toUpperCase() } },
          ...changes('has the path', signTarget, otherTargets(target, values)),
        ];
      default:
        return changes(`has ${name}`, `Sign ${name} as it is sent`, otherValues(valueOf(name)));
    }
  });
}

const signDigest = 'Sign the Digest as it is sent';
const signTarget = 'Sign (request-target) as the method in lower case, then path and query as they are sent';

const second = 1000;
const hour = 3600 * second;

/** A Date made anew for signing is a few seconds older than the one that is sent; a wrong time zone is hours off. */
function otherDates(sent: string): Variants {
  const at = parseImfFixdate(sent);
  if (at === null) return [];
  const seconds = [...Array.from({ length: 60 }, (_, index) => -index - 1), 1, 2, 3, 4, 5];
  const offsets = [...seconds.map((each) => each * second), hour, 2 * hour, -hour, -2 * hour];
  return offsets.map((offset) => {
    const value = new Date(at + offset).toUTCString();
    return [`${Math.abs(offset) / second} s ${offset < 0 ? 'earlier' : 'later'}: ${value}`, value];
  });
}

function spellingsOfDate(sent: string): Variants {
  const at = parseImfFixdate(sent);
  if (at === null) return [];
  const iso = new Date(at).toISOString();
  return [
    ['in ISO 8601', iso],
    ['in ISO 8601 without milliseconds', iso.replace('.000Z', 'Z')],
    ['in seconds since 1970', String(at / second)],
    ['in milliseconds since 1970', String(at)],
    ['with a one-digit day', sent.replace(', 0', ', ')],
    ['with +0000 for GMT', sent.replace('GMT', '+0000')],
    ['without GMT', sent.replace(' GMT', '')],
  ];
}

function spellingsOfDigest(sent: string): Variants {
  const equals = sent.indexOf('=');
  const [algorithm, value] = [sent.slice(0, equals), sent.slice(equals + 1)];
  return [
    ['without SHA-256=', value],
    ['with its algorithm in lower case', `${algorithm.toLowerCase()}=${value}`],
    ['with a colon, as Content-Digest has it', `${algorithm.toLowerCase()}=:${value}:`],
    ['in hexadecimal', `${algorithm}=${Buffer.from(value, 'base64').toString('hex')}`],
    ['empty', ''],
  ];
}

function digestsOfBodies(body: Uint8Array): Variants {
  return [...bodyVariants(body)].map(({ what, bytes }) => [what, digestOf(bytes, 'sha-256')]);
}

/** Prefixes that a gateway before the bank often takes away. */
const usualPrefixes = words([
  '/api /sandbox /sandbank /bank /psd2 /xs2a',
  '/openbanking /open-banking /proxy /gateway /api-sandbox',
]);

function otherTargets(target: string, headers: ReadonlyMap<string, string>): Variants {
  const host = headers.get('host') ?? '';
  const path = target.split('?')[0] ?? '';
  const prefixes = [headers.get('x-forwarded-prefix') ?? '', ...usualPrefixes];
  return [
    ['without its query', path],
    ['with the host before it', host + target],
    ['as a whole address', `http://${host}${target}`],
    ['as a whole address', `https://${host}${target}`],
    ['with percent escapes decoded', unescaped(target)],
    ...shorter(target).map(
      (rest) => [`without ${target.slice(0, target.length - rest.length)}, as behind a proxy`, rest] as const,
    ),
    ...prefixes.map((prefix) => [`with ${prefix} before it, as before a proxy`, prefix + target] as const),
  ];
}

/** The path without its first parts, one more each time. */
function shorter(target: string): string[] {
  const rests: string[] = [];
  for (let at = target.indexOf('/', 1); at > 0 && rests.length < 4; at = target.indexOf('/', at + 1))
    rests.push(target.slice(at));
  return rests;
}

function otherValues(sent: string): Variants {
  return [
    ['in lower case', sent.toLowerCase()],
    ['in capitals', sent.toUpperCase()],
    ['empty', ''],
    ['with a slash at its end', `${sent}/`],
    ['without its query', sent.split('?')[0] ?? ''],
    ['with percent escapes', encodeURIComponent(sent.toWellFormed())],
    ['with percent escapes decoded', unescaped(sent)],
  ];
}
