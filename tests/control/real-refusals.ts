import { X509Certificate } from 'node:crypto';
import type { FaultCode } from '../../engine/values/fault.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { purchase, scriptedCard } from '../cards/card-client.ts';
import { sandboxAccount } from '../pipeline/samples.ts';
import { bulkItem, bulkPayment } from '../lab/bodies.ts';
import { testCertificate } from '../lab/certificates.ts';
import { even, nora } from '../lab/products.ts';
import { validCertificate, type Sent } from '../lab/server.ts';
import { paymentBody, concernsPsu, type Operation, type Prepared } from './carried-out.ts';

/** What makes a call that would be carried out one that the bank refuses; null: this operation has no such refusal. */
export interface Spoiled extends Pick<Sent, 'headers' | 'certificate'> {
  readonly target?: string;
  readonly body?: unknown;
  /** Headers that are changed after signing; null takes one away. */
  readonly after?: Readonly<Record<string, string | null>>;
  readonly date?: Instant;
}

type Cause = (operation: Operation) => Spoiled | null;

const day = 86_400_000;
const unknownId = 'enc!!none=';
const uuid = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const kidTaker = { bban: '34400000028', currency: 'NOK' };
const withoutPermission = { bban: '34500000025', currency: 'NOK' };
const unknownAccount = { bban: '90491105991', currency: 'NOK' };

export const blocked = (): ReturnType<typeof validCertificate> => validCertificate({ commonName: 'blocked.example' });
export const revoked = (): ReturnType<typeof validCertificate> => validCertificate({ commonName: 'revoked.example' });
export const serialOf = ({ certificatePem }: { readonly certificatePem: string }): string =>
  new X509Certificate(certificatePem).serialNumber;

const initiations = /^POST \/(payments|periodic-payments|bulk-payments)\/:product$/;
const serviceOf = ({ target }: Operation): string => target.split('/')[2] ?? '';
const isDomestic = ({ target }: Operation): boolean => /domestic/.test(target);
const isBulk = (operation: Operation): boolean => serviceOf(operation) === 'bulk-payments';

/** The body of an initiation, changed at the top, or in its one item. */
function initiationWith(operation: Operation, changes: object, ofItem: object): Spoiled | null {
  if (!initiations.test(operation.name)) return null;
  const body = isBulk(operation)
    ? bulkPayment([bulkItem('40.00', ofItem)], { requestedExecutionDate: '2027-04-16', ...changes })
    : { ...operation.body, ...changes, ...ofItem };
  return { body };
}

const only =
  (rows: Readonly<Record<string, Spoiled>>): Cause =>
  ({ name }) =>
    rows[name] ?? null;

/** Replaces the first id of the path. */
function unknownInPath({ name, target }: Operation): Spoiled | null {
  const place =
    name
      .split(' ')[1]
      ?.split('/')
      .findIndex((segment) => /^:(?!product)/.test(segment)) ?? -1;
  if (place < 0) return null;
  const segments = target.split('/');
  segments[place + 1] = unknownId;
  return { target: segments.join('/') };
}

/** Removes the first member, which is required. */
function withoutFirst(body: object): object {
  return Object.fromEntries(Object.entries(body).slice(1));
}

/** The ordinary causes of each code (docs/errors.md); what only time causes is left out. */
export function causesOn(prepared: Prepared): { readonly [Code in FaultCode]?: Cause } {
  const { unsigned, signed, due, inBasket } = prepared;
  const psuOnly =
    (headers: Record<string, string>): Cause =>
    (operation) =>
      concernsPsu(operation) ? { headers } : null;
  const privateOne = { target: `/v1/sandbox/agreements/${prepared.privateAgreement}` };
  const isOther = (id: string | undefined): object => ({ paymentIds: [id] });
  const sandboxRows: Readonly<Record<string, Spoiled>> = {
    'POST /sandbox/accounts': { body: { ...sandboxAccount, customerNumber: '99999999999' } },
    'POST /sandbox/card-accounts': { body: { ...scriptedCard, customerNumber: '99999999999' } },
    'POST /sandbox/agreements': { body: { owner: '99999999', name: 'x', engagements: [] } },
    'POST /signing-baskets': { body: isOther(unknownId) },
  };
  return {
    CERTIFICATE_BLOCKED: () => ({ certificate: blocked() }),
    CERTIFICATE_REVOKED: () => ({ certificate: revoked() }),
    CERTIFICATE_EXPIRED: () => ({
      certificate: testCertificate({
        validTo: Date.UTC(2026, 0, 1) as Instant,
        validFrom: Date.UTC(2025, 0, 1) as Instant,
      }),
    }),
    CERTIFICATE_INVALID: () => ({ after: { 'TPP-Signature-Certificate': 'abc' } }),
    CERTIFICATE_MISSING: () => ({ after: { 'TPP-Signature-Certificate': null } }),
    SIGNATURE_INVALID: () => ({ after: { 'X-Request-ID': uuid } }),
    SIGNATURE_MISSING: () => ({ after: { 'TPP-Signature-Certificate': null, Signature: null } }),
    TIMESTAMP_INVALID: () => ({ date: (systemClock.now() - day) as Instant }),
    ROLE_INVALID: ({ name }) => {
      if (/sandbox|tpps|agreements|verification/.test(name)) return null;
      const isInformation = /accounts|consents/.test(name);
      return { certificate: validCertificate({ roles: [isInformation ? 'PSP_PI' : 'PSP_AI'] }) };
    },
    FORMAT_ERROR: ({ body }) =>
      body === undefined
        ? { after: { Date: 'yesterday' } }
        : { body: Array.isArray(body) ? { none: true } : withoutFirst(body) },
    HTTP_HEADER_REQUIRED: () => ({ headers: { 'x-request-id': '' } }),
    REQUESTED_FORMATS_INVALID: () => ({ headers: { accept: 'text/xml' } }),
    PARAMETER_NOT_SUPPORTED: ({ target }) => ({ target: `${target}?colour=red` }),
    PSU_CREDENTIALS_INVALID: psuOnly({ 'psu-id': uuid }),
    CORPORATE_ID_INVALID: (operation) =>
      concernsPsu(operation) && !/verification/.test(operation.name) ? { headers: { 'psu-corporate-id': uuid } } : null,
    CONSENT_INVALID: ({ name }) =>
      /^GET \/(card-)?accounts|^GET \/agreements/.test(name)
        ? { headers: { 'psu-id': null, 'x-psu-identity': even } }
        : null,
    PRODUCT_UNKNOWN: ({ name, target }) =>
      name.includes(':product') ? { target: target.replace(/^(\/v1\/[^/]+\/)[^/]+/, '$1cash-by-pigeon') } : null,
    PERIOD_INVALID: ({ name, target }) => {
      if (!/GET .*transactions$/.test(name))
        return name === 'GET /accounts/:accountId/transactions/:transactionId'
          ? { headers: { 'psu-ip-address': null } }
          : null;
      return name.includes('sandbox')
        ? { target: `${target}?fromDate=2027-03-02&toDate=2027-03-01` }
        : { target: `${target}?dateFrom=2027-03-25` };
    },
    RESOURCE_UNKNOWN: (operation) =>
      /tpps/.test(operation.name)
        ? null
        : (unknownInPath(operation) ??
          initiationWith(operation, { debtorAccount: unknownAccount }, {}) ??
          sandboxRows[operation.name] ??
          null),
    CONFLICT: (operation) =>
      /straks|sepa|cross-border/.test(operation.target)
        ? null
        : only({
            'POST /payments/:product': { body: paymentBody('payments', '10.00') },
            'POST /bulk-payments/:product': { body: paymentBody('bulk-payments', '10.00') },
            'POST /sandbox/customers': { body: { customerNumber: nora, name: 'x', type: 'private' } },
            'POST /sandbox/accounts': {
              body: { ...sandboxAccount, customerNumber: nora, bban: '09232911044', iban: 'NO7809232911044' },
            },
            'POST /sandbox/agreements': { body: { owner: '11111111', name: 'Corporation 1 AS', engagements: [] } },
            'POST /sandbox/agreements/:agreementId/engagements': {
              body: { customer: '18129215603', account: { iban: 'NO2034110000016' }, roles: ['VIEW'] },
            },
            'POST /sandbox/card-accounts/:cardId/transactions': { body: [purchase] },
          })(operation),
    EXECUTION_DATE_INVALID: (operation) => {
      const dates = serviceOf(operation) === 'periodic-payments' ? 'startDate' : 'requestedExecutionDate';
      return isDomestic(operation) && !/straks/.test(operation.target)
        ? initiationWith(operation, { [dates]: '2020-01-01' }, {})
        : null;
    },
    KID_MISSING: (operation) =>
      isDomestic(operation) ? initiationWith(operation, {}, { creditorAccount: kidTaker }) : null,
    KID_INVALID: (operation) => {
      const references = [{ reference: '11', referenceType: 'SCOR' }];
      const item = { creditorAccount: kidTaker, remittanceInformationStructuredArray: references };
      const carries = isDomestic(operation) && serviceOf(operation) !== 'periodic-payments';
      return carries ? initiationWith(operation, {}, item) : null;
    },
    PAYMENT_FAILED: (operation) => {
      if (/cross-border/.test(operation.target)) return null;
      const currency = isDomestic(operation) ? 'EUR' : 'NOK';
      return initiationWith(operation, {}, { instructedAmount: { amount: '1.00', currency } });
    },
    SERVICE_BLOCKED: (operation) => initiationWith(operation, { debtorAccount: withoutPermission }, {}),
    FORBIDDEN: ({ name, target }) =>
      name.includes('/tpps/') ? { target: target.replace(prepared.tpp, 'PSDNO-FSA-1') } : null,
    CANCELLATION_INVALID: ({ name, target }) =>
      name.startsWith('DELETE /payments/') ? { target: target.replace(signed['payments'] ?? '', due) } : null,
    STATUS_INVALID: (operation) => {
      const { name, target } = operation;
      const [one = '', other = ''] = [unsigned[serviceOf(operation)], signed[serviceOf(operation)]];
      if (name.endsWith(':paymentId/authorisations')) return { target: target.replace(one, other) };
      return name.endsWith(':paymentId/cancellation-authorisations') ? { target: target.replace(other, one) } : null;
    },
    RESOURCE_BLOCKED: ({ name, target }) =>
      name === 'POST /signing-baskets'
        ? { body: isOther(inBasket) }
        : name === 'POST /payments/:product/:paymentId/authorisations'
          ? { target: target.replace(unsigned['payments'] ?? '', inBasket) }
          : null,
    REFERENCE_STATUS_INVALID: only({ 'POST /signing-baskets': { body: isOther(signed['payments']) } }),
    REFERENCE_MIX_INVALID: only({
      'POST /signing-baskets': {
        headers: { 'psu-id': null },
        body: { paymentIds: [unsigned['payments'], prepared.ofEven] },
      },
    }),
    SERVICE_INVALID: only({
      'DELETE /sandbox/agreements/:agreementId': privateOne,
      'POST /sandbox/agreements/:agreementId/engagements': { target: `${privateOne.target}/engagements` },
    }),
    ACCESS_EXCEEDED: ({ name }) =>
      /balances$|^GET \/(card-)?accounts\/:\w+\/transactions$/.test(name)
        ? { headers: { 'psu-ip-address': null } }
        : null,
  };
}
