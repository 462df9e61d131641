import type { Habit } from './habit.ts';

export const habit: Habit = {
  does: 'The periodic initiation does not demand x-accept-fix and TPP-Session-ID',
  lines: {
    H2: {
      what: 'A periodic payment is accepted without `x-accept-fix` and `TPP-Session-ID`.',
      seen: {
        register: [44],
        others: [
          'SpareBank 1 Sogn og Fjordane, undated: published by the bank; the pages of Sparebanken Møre, OBOS-banken and others require `x-accept-fix`',
        ],
      },
      mistake: 'The client omits the headers, and a bank that demands them refuses the payment.',
    },
  },
  guess: { sign: /^(?:status|code) .*periodic-payments.*HTTP_HEADER_REQUIRED/ },
};
