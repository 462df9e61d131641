import { all, also, inOperations, inParameter } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile<'lenient-headers'> = {
  group: 'requests',
  does: 'The periodic initiation does not demand x-accept-fix and TPP-Session-ID',
  banks: ['SpareBank 1 Sogn og Fjordane'],
  lines: {
    H2: {
      what: 'A standing order is accepted without `x-accept-fix` and `TPP-Session-ID`.',
      seen: {
        register: [44],
        facts: ['acceptFixMarkedRequired'],
        profiles: ['sparebank1-sogn-og-fjordane'],
      },
      mistake: 'The client omits the headers, and a bank that demands them refuses the payment.',
    },
  },
  shape: (document) => {
    const optional = also({ required: false });
    const headers = ['x-accept-fix', 'TPP-Session-ID'].map((name) => inParameter(document, name, optional));
    return inOperations(document, /^POST \/periodic-payments/, all(...headers));
  },
  met: ({ operation, status }, { call }) =>
    status === 201 &&
    operation?.startsWith('POST /v1/periodic-payments/') === true &&
    (call?.headers.acceptFix === null || call?.headers.sessionId === null),
};
