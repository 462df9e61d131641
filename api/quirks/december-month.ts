import { also, at, inSchemas } from './contract.ts';
import { calls } from './hearing.ts';
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
  heard: calls('initiates a standing order', /^POST \/v1\/periodic-payments\//),
};
