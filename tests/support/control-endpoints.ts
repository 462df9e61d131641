import { banksEndpoints, bundleEndpoint } from '../../api/hosting/banks.ts';
import type { HostedBank } from '../../api/hosting/hosted-bank.ts';
import type { HostedBanks } from '../../api/hosting/hosted-banks.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import type { ControlEndpoint } from '../../api/control/control-endpoint.ts';
import type { EventLog } from '../../api/control/events/event-log.ts';
import { bankCertificate, caCertificate } from '../../api/control/certificates.ts';
import type { AnswerSeal } from '../../api/signing/answer-seal.ts';
import { paymentEndpoint } from '../../api/control/payments/make-payment.ts';
import { searchEndpoint } from '../../api/control/search.ts';
import { eventsEndpoint } from '../../api/control/events/events.ts';
import type { Journal } from '../../api/journal/journal.ts';
import { requestsEndpoints } from '../../api/journal/requests.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import { apiDocument } from '../../api/openapi/document.ts';
import { blankSamples, noSamples } from '../../api/openapi/samples.ts';
import { calendar } from '../lab/bank.ts';
import { AnswerCheck } from './answer-check.ts';

/** Every endpoint of a control plane, not to be called. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  ...ofEveryBank,
  eventsEndpoint({} as EventLog, new AbortController().signal),
  ...requestsEndpoints({} as Journal),
  paymentEndpoint(() => Promise.reject(new Error('it is not called'))),
  searchEndpoint(() => []),
  bundleEndpoint(() => Promise.resolve(Buffer.alloc(0))),
  caCertificate,
  bankCertificate({} as AnswerSeal),
  ...banksEndpoints({} as HostedBanks, {} as HostedBank),
];

/** Refusals that a path gets that the control plane does not have, and a method. */
const ofUnknown = [404, 405];

/** Compares answers with the document of the control plane. */
export function controlCheck(): AnswerCheck {
  const samples = blankSamples(noSamples.today, calendar);
  const described = describeControl(controlEndpoints, { address: 'http://127.0.0.1', samples, isRoot: true });
  const document = apiDocument(described);
  const { responses, ...components } = document.components;
  const schema = { $ref: '#/components/schemas/Problem' };
  const problem = { description: 'It is not there.', content: { 'application/problem+json': { schema } } };
  const unknown = Object.fromEntries(ofUnknown.map((status) => [`Problem${status}`, problem]));
  const whole = { ...document, components: { ...components, responses: { ...Object(responses), ...unknown } } };
  return new AnswerCheck(whole, 'Problem');
}
