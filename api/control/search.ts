import type * as Type from 'typebox';
import { search as found } from '../../engine/inspection/list-payments.ts';
import { choice, text, titled } from '../bodies/schema.ts';
import { story } from '../bodies/examples.ts';
import { withoutIdentityNumbers } from '../pipeline/secrets.ts';
import { countIn } from './read-query.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { listAnswer } from './answers/forms.ts';
import { wireId } from './answers/names.ts';
import { controlEndpoint, shownAddress } from './control-endpoint.ts';

/** How many results of each kind there are unless `limit` says so, and the most. */
const [usualOfKind, maxOfKind] = [5, 100] as const;
/** Maximum length of what is searched for, in characters. */
const maxLength = 200;

/** What can be searched for. */
const wanted = 'an id or its beginning, an account number, a name, an amount, a day or a status';

const result = titled('SearchResult').closed({
  kind: choice('what was found', ['payment', 'account', 'person', 'request']),
  id: text('its id: of a payment or a request its own, of an account or a person the number, masked', story.paymentId),
  wireId,
  label: text('what to show', 'To Company 123, from Test Testperson 3'),
  href: text('its page in the console', `${story.address}/console/payments/${encodeURIComponent(story.paymentId)}`),
});

type Result = Type.Static<typeof result>;

/** A request of the journal, with its line masked. */
export interface FoundRequest {
  readonly id: string;
  readonly line: string;
}

/**
 * `GET /sandbox/search?q=`: payments, accounts, people and requests, `limit` of each
 * (docs/spec/control-plane.md C11). `requestsOf` returns the latest requests of the journal whose id begins with a
 * text. Problem 400 for a `q` that is missing or longer than 200 characters.
 */
export function searchEndpoint(requestsOf: (beginning: string, limit: number) => readonly FoundRequest[]) {
  return controlEndpoint('GET /search', {
    summary: 'Find payments, accounts, people and requests',
    query: {
      q: text(wanted, 'Company'),
      limit: text('how many of each kind, 1 to 100; 5 if it is left out', '5'),
    },
    answer: listAnswer('results', 'SearchResults', result),
    handle: async (call) => {
      const q = wantedIn(call.query);
      const console = `${shownAddress(call)}/console`;
      const limit = countIn(call.query, 'limit', { least: 1, most: maxOfKind, otherwise: usualOfKind });
      const { payments, accounts, customers } = await found(call.bank, q, limit);
      const requests = q === '' ? [] : requestsOf(q, limit);
      const resultOf = (kind: Result['kind'], id: string, label: string, page: string): Result => {
        return { kind, id, label: withoutIdentityNumbers(label), href: `${console}/${page}` };
      };
      return {
        results: [
          ...payments.map(({ paymentId: id, creditorName, debtorName }) => {
            const label = `To ${creditorName ?? 'several or unnamed payees'}, from ${debtorName}`;
            return resultOf('payment', id, label, `payments/${encodeURIComponent(id)}`);
          }),
          ...accounts.map(({ number, name, ownerName }) =>
            resultOf('account', number, `${name}, ${ownerName}`, `accounts/${encodeURIComponent(number)}`),
          ),
          ...customers.map(({ number, name, type }) => {
            // The number of a private customer is an identity number: it stands neither in the result nor in its
            // address.
            const id = type === 'private' ? '*'.repeat(number.length) : withoutIdentityNumbers(number);
            return resultOf('person', id, name, `people?${new URLSearchParams({ name })}`);
          }),
          ...requests.map(({ id, line }) => resultOf('request', id, line, `requests/${encodeURIComponent(id)}`)),
        ],
      };
    },
  });
}

function wantedIn(query: ReadonlyMap<string, string>): string {
  const q = query.get('q');
  if (q === undefined) throw refusedAt('q', `q is missing: expected ${wanted}.`);
  if (q.length <= maxLength) return q.trim();
  throw refusedAt('q', `q has ${q.length} characters: expected ${maxLength} at most.`, `1 to ${maxLength} characters`);
}
