import { quote } from '../../engine/values/text.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import { faultCode } from '../control/answers/names.ts';
import { listAnswer } from '../control/answers/forms.ts';
import { choice, integer, optional, text } from '../bodies/schema.ts';
import { controlEndpoint, shownAddress } from '../control/control-endpoint.ts';
import type { FoundRequest } from '../control/search.ts';
import { countIn, wordIn } from '../control/read-query.ts';
import { isBelow } from '../pipeline/armed-faults.ts';
import { Problem, refusedAt } from '../pipeline/problem.ts';
import { type ReadSigning, signingReader } from '../signing/leniencies.ts';
import type { Entry } from './entry.ts';
import { summaryAnswer, wholeAnswer } from './entry-answer.ts';
import { lineOf, notesOf, summaryJson, tppOf, verdictOf, wholeJson } from './entry-json.ts';
import { type Journal, maxEntries } from './journal.ts';

export const verdicts = ['accepted', 'refused'] as const;

const requestList = listAnswer('requests', 'Requests', summaryAnswer);
const wholeRequests = listAnswer('requests', 'WholeRequests', wholeAnswer);

/** Cached analysis of an entry. */
interface Known {
  readonly signing: ReadSigning;
  readonly notes: string[];
}

type Filter = (entry: Entry, known: () => Known) => boolean;

/** `GET /sandbox/requests` and `GET /sandbox/requests/{X-Request-ID}`: the journal of one bank. */
export function requestsEndpoints(journal: Journal) {
  const knowns = new WeakMap<Entry, Known>();
  return [
    controlEndpoint('GET /requests', {
      summary: 'The last requests of the interface, newest first',
      answer: requestList,
      query: {
        verdict: optional(choice("the signature check's", verdicts)),
        code: optional(faultCode),
        tpp: optional(text('the id of the TPP that the certificate names', 'PSDNO-FSA-987654321')),
        path: optional(
          text('how the path begins, in whole segments, * for any one of them', '/v1/accounts/*/balances'),
        ),
        limit: optional(integer('how many at most', { minimum: 1, maximum: maxEntries, default: maxEntries })),
      },
      handle: async ({ query, config }) => {
        const limit = countIn(query, 'limit', { least: 1, most: maxEntries, otherwise: maxEntries });
        const isWanted = filterOf(query);
        const read = signingReader();
        const requests = [];
        for (const entry of journal.list()) {
          if (requests.length === limit) break;
          const known = (): Known => knownOf(entry, knowns, read);
          if (!isWanted(entry, known)) continue;
          requests.push(summaryJson(entry, known(), config.controlToken));
        }
        return { requests };
      },
    }),
    controlEndpoint('GET /requests/:requestId', {
      summary: 'All that was kept of the requests with this X-Request-ID',
      answer: wholeRequests,
      hasPage: true,
      handle: async (call) => {
        const key = call.params.requestId;
        const found = journal.list().filter((entry) => entry.key === key);
        if (found.length === 0) throw notKept(key);
        const about = { base: shownAddress(call), controlToken: call.config.controlToken };
        const read = signingReader();
        const requests = [];
        for (const entry of found) requests.push(wholeJson(entry, read(entry), about));
        return { requests };
      },
    }),
  ] as const;
}

/** The search of a journal: its latest requests, each once, whose id begins with a text. */
export function requestFinder(
  journal: Journal,
  controlToken: string | null,
): (beginning: string, limit: number) => readonly FoundRequest[] {
  return (beginning, limit) => {
    const wanted = beginning.toLowerCase();
    const found = new Map<string, Entry>();
    for (const entry of journal.list()) {
      if (found.size === limit) break;
      if (!found.has(entry.key) && entry.key.toLowerCase().startsWith(wanted)) found.set(entry.key, entry);
    }
    return [...found].map(([id, entry]) => ({ id, line: lineOf(entry, controlToken) || 'could not be read' }));
  };
}

function knownOf(entry: Entry, knowns: WeakMap<Entry, Known>, read: ReturnType<typeof signingReader>): Known {
  const found = knowns.get(entry);
  if (found !== undefined) return found;
  const signing = read(entry);
  const known = { signing: { ...signing }, notes: notesOf(entry, signing) };
  knowns.set(entry, known);
  return known;
}

function filterOf(query: ReadonlyMap<string, string>): Filter {
  const verdict = wordIn(query, 'verdict', verdicts);
  const code = wordIn(query, 'code', faultCodes);
  const tpp = query.get('tpp');
  if (tpp === '') throw refusedAt('tpp', 'tpp is empty: expected the id or the name of a TPP, as the entries have it.');
  const below = query.get('path');
  if (below !== undefined && !below.startsWith('/')) {
    const detail = `path is ${quote(below)}: expected how a path begins, in whole segments, * for any one of them.`;
    throw refusedAt('path', detail, ['/v1', '/v1/accounts/*/balances']);
  }
  return (entry, known) =>
    (verdict === undefined || verdictOf(entry) === verdict) &&
    (code === undefined || entry.facts.code === code) &&
    // In a bundle of a named bank they have its path, and the bank that was opened has none.
    (below === undefined || isBelow(below, entry.target.replace(/^\/banks\/[^/?]+/, ''))) &&
    (tpp === undefined || [tppOf(entry, known().signing), known().signing.tppName].includes(tpp));
}

function notKept(key: string): Problem {
  const detail = `The journal has no request ${quote(key, 100)}. It keeps the last ${maxEntries} under /v1, in memory, by X-Request-ID.`;
  return new Problem({ status: 404, detail });
}
