import { readTppContact } from '../../engine/operations/read-tpp-contact.ts';
import { saveTppContact } from '../../engine/operations/save-tpp-contact.ts';
import type { Bodies } from '../middleware/body/bodies.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';

const common = { path: '/tpps/:tppId/contact-information', role: null, names: 'path', requires: [] } as const;

/** real-api-facts.md 8: /v1/tpps/{tppId}/contact-information. About no PSU: its headers are not asked for. */
export const tppContact: readonly Endpoint[] = [
  { ...common, method: 'PUT', body: 'tpp-contact', handle: save },
  { ...common, method: 'GET', body: null, handle: read },
];

async function save({ bank, tpp, params, body }: Call): Promise<Answer> {
  const { email } = body as Bodies['tpp-contact'];
  await saveTppContact(bank, tpp.id, params['tppId'] ?? '', email);
  return { status: 200, body: { email } };
}

async function read({ bank, tpp, params }: Call): Promise<Answer> {
  return { status: 200, body: { email: await readTppContact(bank, tpp.id, params['tppId'] ?? '') } };
}
