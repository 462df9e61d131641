import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../page-call.ts';
import { filterForm } from '../parts/forms.ts';
import { empty, problemBox } from '../parts/lists.ts';
import { foreign, tag } from '../parts/text.ts';

/** What a search finds: `GET /sandbox/search`. */
export const searchView: ConsoleView & { readonly path: string } = {
  path: '/search',
  show: async (call) => {
    const q = call.query.get('q') ?? '';
    const field = [{ name: 'q', label: 'A payment id, an account number, a name or a request id', isLong: true }];
    const form = filterForm(call, field, 'Search');
    if (q === '') return { title: 'Search', content: form };
    const { answer, problem } = await call.attempt('/search', { query: { q } });
    const results = answer?.results ?? [];
    return {
      title: 'Search',
      content: html`${problemBox(problem)} ${form}
      ${
        answer !== null &&
        (results.length === 0
          ? empty('Nothing has this id, number or name.', { href: call.to('/payments'), text: 'Show all payments' })
          : html`<ul class="found">
              ${results.map(
                ({ kind, label, href }) =>
                  html`<li>
                    ${tag('over', kind)}
                    <a href="${call.to(href.slice(`${call.ownAddress}/console`.length))}">${foreign(label)}</a>
                  </li>`,
              )}
            </ul>`)
      }`,
    };
  },
};
