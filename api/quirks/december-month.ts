import { also, at, inSchemas } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile<'december-month'> = {
  group: 'dates',
  does: 'monthsOfExecution accepts 12',
  shape: (document) =>
    inSchemas(
      document,
      ['PeriodicPaymentInitiation', 'PeriodicPayment'],
      at('monthsOfExecution.[]', also({ maximum: 12 })),
    ),
};
