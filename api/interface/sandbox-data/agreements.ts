import {
  addEngagement,
  createAgreement,
  deleteAgreement,
  listSandboxAgreements,
  readSandboxAgreement,
  type SandboxAgreement,
} from '../../../engine/sandbox-data/agreements.ts';
import { agreementBody } from './agreement-body.ts';
import { engagementBody } from './engagement-body.ts';
import { type Call, endpoint, type Endpoint, link } from '../../pipeline/endpoint.ts';
import type { Engagement } from '../../../engine/parties/rows/engagements.ts';
import { agreementAnswer, listOf } from './sandbox-answers.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/agreements';

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. The list is a plain array and includes private agreements. */
export const agreements: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Create an agreement',
    answers: { 201: agreementAnswer },
    body: agreementBody,
    faultPaths: { CONFLICT: 'name', RESOURCE_UNKNOWN: 'owner' },
    handle: async ({ bank, body }) => {
      const { owner, name, engagements = [] } = body;
      return { status: 201, body: sandboxAgreement(await createAgreement(bank, { owner, name, engagements })) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List all agreements',
    answers: { 200: listOf(agreementAnswer, 'agreements') },
    handle: async ({ bank }) => ({ status: 200, body: (await listSandboxAgreements(bank)).map(sandboxAgreement) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:agreementId`,
    summary: 'Read an agreement',
    answers: { 200: agreementAnswer },
    names: 'path',
    handle: async (call) => ({
      status: 200,
      body: sandboxAgreement(await readSandboxAgreement(call.bank, agreementIn(call))),
    }),
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:agreementId`,
    summary: 'Delete an agreement of a corporation',
    answers: { 204: null },
    names: 'path',
    handle: async (call) => {
      await deleteAgreement(call.bank, agreementIn(call));
      return { status: 204 };
    },
  },
  endpoint({
    ...common,
    method: 'POST',
    path: `${path}/:agreementId/engagements`,
    summary: 'Add an engagement to an agreement',
    answers: { 201: agreementAnswer },
    names: 'path',
    body: engagementBody,
    faultPaths: { CONFLICT: 'customer' },
    handle: async (call) => {
      const changed = await addEngagement(call.bank, agreementIn(call), call.body);
      return { status: 201, body: sandboxAgreement(changed) };
    },
  }),
];

function agreementIn({ params }: Call): string {
  return params['agreementId'] ?? '';
}

/** real-api-facts.md 10: /v1/sandbox/agreements. A private customer's agreement is read-only. */
function sandboxAgreement({ agreement, engagements }: SandboxAgreement) {
  const self = `/v1/sandbox/agreements/${agreement.resource_id}`;
  const isCorporate = agreement.owner_type === 'corporate';
  return {
    agreementId: agreement.resource_id,
    owner: agreement.owner_number,
    name: agreement.name,
    type: agreement.owner_type.toUpperCase(),
    engagements: engagements.map(sandboxEngagement),
    _links: {
      self: isCorporate ? link(self, 'GET', 'DELETE') : link(self, 'GET'),
      ...(isCorporate && { engagements: link(`${self}/engagements`, 'POST') }),
    },
  };
}

/** An engagement in the shape of the request. */
function sandboxEngagement({ customer_number: customer, bban, iban, may_view, may_register }: Engagement) {
  return {
    customer,
    account: { ...(bban !== null && { bban }), ...(iban !== null && { iban }) },
    roles: [...(may_view === 1 ? ['VIEW'] : []), ...(may_register === 1 ? ['REGISTER'] : [])],
  };
}
