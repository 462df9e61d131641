import type { AnswerValue } from '../../bodies/written.ts';
import { createCustomer, deleteCustomer, listCustomers, readCustomer } from '../../../engine/sandbox-data/customers.ts';
import { type CreateCustomer, rolesOf } from '../../../engine/parties/customers-and-agreements.ts';
import type { Customer } from '../../../engine/parties/rows/customers.ts';
import { privateCustomer } from '../../bodies/known-state.ts';
import { choice, integer, listOf, meaning, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { customerNumber, name, requiredName, roles } from '../../bodies/values.ts';
import { endpoint, link } from '../../pipeline/endpoint.ts';
import { resource } from './resource.ts';
import { initializeSandbox } from '../../../engine/sandbox-data/create-known-state.ts';
import {
  addEngagement,
  createAgreement,
  deleteAgreement,
  listSandboxAgreements,
  readSandboxAgreement,
  type SandboxAgreement,
} from '../../../engine/sandbox-data/agreements.ts';
import { accountNumbers } from '../accounts/accounts.ts';
import * as Type from 'typebox';
import { ownAccount } from '../../bodies/account.ts';
import { story } from '../../bodies/examples.ts';
import { idLike, links, ownAccount as ownAccountNumbers } from '../answer-parts.ts';

/**
 * In either case, as the vendor's scripts and the banks' pages write it; it comes back as it was posted (rules.md D6).
 */
const type = choice('the kind of customer', ['private', 'corporate', 'PRIVATE', 'CORPORATE']);

/** interface: /v1/sandbox/customers; real-api-facts.md 10. */
export const customerBody = titled(
  'SandboxCustomer',
  'A person or a corporation that becomes a customer of the bank.',
  {
    examples: [{ customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' }],
    rules: [privateCustomer],
  },
).closed({ customerNumber, name: requiredName, type });

const customerAnswer = titled('Customer', 'A customer of the bank.', {
  examples: [{ customerType: 'PRIVATE', customerName: 'Test Testperson 3' }],
}).closed({
  customerId: idLike(story.customerId),
  customerNumber,
  customerType: choice('the kind of customer, in the case that it was created in', [
    'private',
    'corporate',
    'PRIVATE',
    'CORPORATE',
  ]),
  customerName: name,
  _links: links(`/v1/sandbox/customers/${story.customerId}`, ['self']),
});

/** interface: /v1/sandbox/customers; real-api-facts.md 10. */
export const sandboxCustomers = resource({
  path: '/sandbox/customers',
  id: 'customerId',
  names: 'path',
  summaries: {
    create: 'Create a customer',
    list: 'List all customers',
    read: 'Read a customer',
    remove: 'Delete a customer with its agreements and accounts',
  },
  all: 'customers',
  answer: customerAnswer,
  body: customerBody,
  faultPaths: { CONFLICT: 'customerNumber' },
  create: (bank, { type, ...customer }) => createCustomer(bank, { ...customer, ...typeOf(type) }),
  list: listCustomers,
  read: readCustomer,
  remove: deleteCustomer,
  show: sandboxCustomer,
});

/** The type of a customer, and the case that it comes back in (rules.md D6). */
function typeOf(posted: Static<typeof type>): Pick<CreateCustomer, 'type' | 'isTypeInCapitals'> {
  const isTypeInCapitals = posted === 'PRIVATE' || posted === 'CORPORATE';
  return { type: posted === 'private' || posted === 'PRIVATE' ? 'private' : 'corporate', isTypeInCapitals };
}

const inCapitals = { private: 'PRIVATE', corporate: 'CORPORATE' } as const;

/** real-api-facts.md 10: POST and GET /v1/sandbox/customers. */
export function sandboxCustomer(customer: Customer): AnswerValue<typeof customerAnswer> {
  return {
    customerId: customer.resource_id,
    customerNumber: customer.customer_number,
    customerType: customer.is_type_in_capitals === 1 ? inCapitals[customer.type] : customer.type,
    customerName: customer.name,
    _links: { self: link(`/v1/sandbox/customers/${customer.resource_id}`, 'GET', 'DELETE') },
  };
}

const count = (what: string) => integer(`how many ${what} there are`, { minimum: 0 });
const initializedAnswer = titled('InitializedSandbox', 'What the known state holds.').closed({
  customers: count('customers'),
  accounts: count('accounts'),
  cardAccounts: count('card accounts'),
  agreements: count('agreements'),
  engagements: count('engagements'),
  _links: links('/v1/sandbox', ['customers', 'agreements', 'accounts', 'cardAccounts']),
});

/**
 * interface: sandbox initialisation; rules.md D1, T7. Answers with counts and links to the lists; CONFLICT while the
 * clock is being moved.
 */
export const initialize = endpoint('POST /sandbox/initialize', {
  summary: 'Create the known state again, and keep the clock',
  answers: { 200: initializedAnswer },
  role: null,
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
});

const engagementLimit = Type.Number({ description: 'a number of 0 or more', minimum: 0, examples: [0] });

/**
 * interface: POST /v1/sandbox/agreements/{id}/engagements. Accepts the limits and ignores them: their meaning is not
 * published.
 */
export const engagementBody = titled('SandboxEngagement', 'What a PSU may do with an account of a corporation.', {
  examples: [{ customer: story.psu, account: { bban: story.corporateBban }, roles: ['VIEW', 'REGISTER'] }],
}).closed({
  customer: customerNumber,
  account: ownAccount,
  roles,
  registerLimit: optional(engagementLimit),
  approvalLimit: optional(engagementLimit),
});

/** A corporation may be named by its number or by the id of its answer (rules.md D1b). */
const customerReference = text(
  "The corporation's customerNumber, or the customerId that POST /v1/sandbox/customers answered.",
  {
    expected: 'a customer number of 1 to 35 digits, or a customerId',
    pattern: '^(\\d{1,35}|enc!![\\w-]{42}==)$',
    examples: [story.corporation],
  },
);

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. */
export const agreementBody = titled(
  'SandboxAgreement',
  'An agreement with a corporation, under which PSUs act for it.',
  {
    expected: 'an object with owner, name and engagements',
    examples: [{ owner: story.corporation, name: 'Wages' }],
  },
).closed({
  owner: customerReference,
  name: requiredName,
  engagements: optional(listOf(engagementBody, 'a list of engagements, 200 at most', { maxItems: 200 })),
});

const agreementAnswer = titled('AgreementOfTestData', 'An agreement with its engagements.', {
  examples: [{ owner: story.corporation, name: 'Corporation 1 AS', type: 'CORPORATE', engagements: [] }],
}).closed({
  agreementId: idLike(story.agreementId),
  owner: meaning('The number of the customer who owns the accounts.', customerNumber),
  name,
  type: choice('the kind of customer who owns it', ['PRIVATE', 'CORPORATE']),
  engagements: listOf(
    titled('Engagement', 'What a PSU may do with an account.').closed({
      customer: customerNumber,
      account: ownAccountNumbers,
      roles,
    }),
    'What PSUs may do with the accounts of the agreement.',
  ),
  _links: links(`/v1/sandbox/agreements/${story.agreementId}`, ['self'], ['engagements']),
});

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. The list includes private agreements. */
export const sandboxAgreements = [
  ...resource({
    path: '/sandbox/agreements',
    id: 'agreementId',
    names: 'path',
    summaries: {
      create: 'Create an agreement',
      list: 'List all agreements',
      read: 'Read an agreement',
      remove: 'Delete an agreement of a corporation',
    },
    all: 'agreements',
    answer: agreementAnswer,
    body: agreementBody,
    faultPaths: { CONFLICT: 'name', RESOURCE_UNKNOWN: 'owner' },
    create: (bank, { engagements = [], ...agreement }) => createAgreement(bank, { ...agreement, engagements }),
    list: listSandboxAgreements,
    read: readSandboxAgreement,
    remove: deleteAgreement,
    show: sandboxAgreement,
  }),
  endpoint('POST /sandbox/agreements/:agreementId/engagements', {
    role: null,
    summary: 'Add an engagement to an agreement',
    answers: { 201: agreementAnswer },
    names: 'path',
    body: engagementBody,
    faultPaths: { CONFLICT: 'customer' },
    handle: async ({ bank, params, body }) => {
      const changed = await addEngagement(bank, params['agreementId'] ?? '', body);
      return { status: 201, body: sandboxAgreement(changed) };
    },
  }),
];

/** real-api-facts.md 10: /v1/sandbox/agreements. A private customer's agreement is read-only. */
function sandboxAgreement({ agreement, engagements }: SandboxAgreement): AnswerValue<typeof agreementAnswer> {
  const self = `/v1/sandbox/agreements/${agreement.resource_id}`;
  const isCorporate = agreement.owner_type === 'corporate';
  return {
    agreementId: agreement.resource_id,
    owner: agreement.owner_number,
    name: agreement.name,
    type: isCorporate ? 'CORPORATE' : 'PRIVATE',
    // The answer repeats the shape of the request, so that a script can send it again.
    engagements: engagements.map((engaged) => {
      return { customer: engaged.customer_number, account: accountNumbers(engaged), roles: rolesOf(engaged) };
    }),
    _links: {
      self: isCorporate ? link(self, 'GET', 'DELETE') : link(self, 'GET'),
      ...(isCorporate && { engagements: link(`${self}/engagements`, 'POST') }),
    },
  };
}
