import * as Type from 'typebox';
import { choice, closed, flag, integer, listOf, optional, text, titled } from '../bodies/schema.ts';
import { story } from '../bodies/examples.ts';
import { count, answeredInstant, orNull } from '../control/answers/forms.ts';
import { signingDifference } from '../control/answers/refusals.ts';
import { wireId } from '../control/answers/names.ts';
import { struckFault } from '../control/faults.ts';

/** In the example of a request, which was accepted. */
const shown = { status: 200, code: null, reason: null, notes: [], beforeReset: false };

const summary = {
  requestId: text('the X-Request-ID, or a key that the bank drew', story.requestId),
  at: orNull(answeredInstant('when it came, by the bank clock')),
  wall: answeredInstant('when it came, by the wall clock'),
  method: orNull(text('the method', 'GET')),
  target: orNull(text('path and query', '/v1/accounts?withBalance=true')),
  tpp: orNull(text('the id of the TPP that the certificate names', 'PSDNO-FSA-987654321')),
  tppName: orNull(text('its name in the certificate', 'Test TPP, AS')),
  verdict: choice("the signature check's", ['accepted', 'refused']),
  status: orNull(integer('the HTTP status of the answer, or null if none was sent')),
  code: orNull(text('the code of the refusal', 'SIGNATURE_INVALID')),
  finding: orNull(text('why the signature check refused')),
  reason: orNull(
    text('the first text of a refusal without a finding', '2027-03-01 has passed. Use today or a later day.'),
  ),
  fault: optional(struckFault),
  notes: listOf(text('a note'), 'what was accepted though it should be otherwise'),
  beforeReset: flag('whether it came before the last reset'),
};

/** An entry of `GET /sandbox/requests`. */
export const summaryAnswer = titled('Request', 'A request of the interface.', {
  examples: [shown],
}).closed(summary);

const link = Type.Union([
  closed({
    paymentId: text('the id of a payment'),
    wirePaymentId: wireId,
    href: text('where the control plane has it'),
  }),
  closed({ consentId: text('the id of a consent'), href: text('where the control plane has it') }),
]);

/** An entry of `GET /sandbox/requests/{X-Request-ID}`. */
export const wholeAnswer = titled('WholeRequest', 'A request of the interface with all that was kept of it.', {
  examples: [
    {
      ...shown,
      headers: [['x-request-id', story.requestId]],
      answer: { accounts: [] },
      links: [],
      signing: { expected: null, received: null, difference: null },
    },
  ],
}).closed({
  ...summary,
  headers: listOf(
    Type.Array(text('a name or a value'), { minItems: 2, maxItems: 2 }),
    'name and value of each header, as received',
  ),
  body: orNull(text('the body, 64 KB at most')),
  bodyLength: count('the length of the whole body in bytes'),
  packet: optional(text('the last bytes of a request that could not be read')),
  answer: Type.Unknown({ description: 'the body of the answer: JSON, a text where it was cut, null for none' }),
  links: listOf(link, 'what it changed or named'),
  signing: closed({
    expected: orNull(text('the signing string that the bank verifies')),
    received: orNull(text('the one that was signed, as far as the doctor found it')),
    difference: orNull(signingDifference),
  }),
});
