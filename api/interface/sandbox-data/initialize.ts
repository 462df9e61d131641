import { initializeSandbox } from '../../../engine/sandbox-data/create-known-state.ts';
import { initializedAnswer } from './sandbox-answers.ts';
import { type Endpoint, link } from '../../pipeline/endpoint.ts';

/** interface: sandbox initialisation; rules.md D1, T7. Answers with counts and links to the lists; CONFLICT while the clock is being moved. */
export const initialize: Endpoint = {
  method: 'POST',
  path: '/sandbox/initialize',
  summary: 'Create the known state again, and keep the clock',
  answers: { 200: initializedAnswer },
  role: null,
  requires: [],
  body: null,
  handle: async ({ bank, runExclusive: alone }) => {
    const counts = await alone(() => initializeSandbox(bank));
    const _links = {
      customers: link('/v1/sandbox/customers', 'GET', 'POST'),
      agreements: link('/v1/sandbox/agreements', 'GET', 'POST'),
      accounts: link('/v1/sandbox/accounts', 'GET', 'POST'),
      cardAccounts: link('/v1/sandbox/card-accounts', 'GET', 'POST'),
    };
    return { status: 200, body: { ...counts, _links } };
  },
};
