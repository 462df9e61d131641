import { story } from '../bodies/examples.ts';
import { at, inSchemas, schemaOf } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject } from './json.ts';

/** The parameters of the query. */
export const scaQueryNames = ['route_secesb_id', 'flow', 'state', 'context'] as const;

export const quirk: QuirkFile<'sca-query'> = {
  group: 'requests',
  does: 'The address of an SCA has a query, and its page needs it',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H58: {
      what: 'The address of an SCA has a query of the bank: `route_secesb_id`, `flow`, `state` and `context`.',
      seen: { register: [52], facts: ['scaRedirect'] },
      mistake: 'The client cuts the query, or puts one of its own in its place, and the PSU gets no page.',
    },
  },
  shape: (document) => {
    const address = `${story.address}/sca/${story.scaId}?${scaQueryNames.map((name) => `${name}=1`).join('&')}`;
    const href = {
      type: 'string',
      examples: [address],
      pattern: `[?&]${scaQueryNames.map((name) => `${name}=[^?&]+`).join('&')}`,
    };
    const link = at('href', () => href)(schemaOf(document, 'Link'));
    const answers = ['InitiatedPayment', 'OfferedSca', 'StartedSca', 'Refusal401'];
    return inSchemas(
      document,
      answers,
      at('_links.scaRedirect', () => link),
    );
  },
  show: (answer, { call }) => {
    const { body } = answer;
    const links = isObject(body) ? body['_links'] : null;
    const link = isObject(links) ? links['scaRedirect'] : null;
    if (!isObject(body) || !isObject(links) || !isObject(link)) return answer;
    const url = new URL(String(link['href']));
    const state = url.pathname.replace(/^.*\//, '');
    const context = call?.headers.psuContext ?? 'PRIVATE';
    const values: Record<(typeof scaQueryNames)[number], string> = {
      route_secesb_id: '1',
      flow: 'psd2',
      state,
      context,
    };
    for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
    return { ...answer, body: { ...body, _links: { ...links, scaRedirect: { ...link, href: url.href } } } };
  },
};
