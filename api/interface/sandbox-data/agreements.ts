import { addEngagement } from '../../../engine/sandbox-data/add-engagement.ts';
import { createAgreement } from '../../../engine/sandbox-data/create-agreement.ts';
import { deleteAgreement } from '../../../engine/sandbox-data/delete-agreement.ts';
import { listSandboxAgreements } from '../../../engine/sandbox-data/list-sandbox-agreements.ts';
import { readSandboxAgreement } from '../../../engine/sandbox-data/read-sandbox-agreement.ts';
import { agreementBody } from './agreement-body.ts';
import { engagementBody } from './engagement-body.ts';
import { endpoint, type Call, type Endpoint } from '../../pipeline/endpoint.ts';
import { sandboxAgreement } from './agreement-json.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/agreements';

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. The list is a plain array, private agreements too. */
export const agreements: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    body: agreementBody,
    handle: async ({ bank, body }) => {
      const { owner, name, engagements = [] } = body;
      return { status: 201, body: sandboxAgreement(await createAgreement(bank, { owner, name, engagements })) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    handle: async ({ bank }) => ({ status: 200, body: (await listSandboxAgreements(bank)).map(sandboxAgreement) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:agreementId`,
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
    names: 'path',
    body: engagementBody,
    handle: async (call) => {
      const changed = await addEngagement(call.bank, agreementIn(call), call.body);
      return { status: 201, body: sandboxAgreement(changed) };
    },
  }),
];

function agreementIn({ params }: Call): string {
  return params['agreementId'] ?? '';
}
