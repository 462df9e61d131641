import { listedServices, listedStatuses, paymentList } from '../../control/payments/list-payments.ts';
import { html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { filterForm } from '../parts/forms.ts';
import { offsetIn, pager } from '../parts/lists.ts';
import { statusWords } from '../parts/text.ts';
import { problemBox } from '../parts/problem.ts';
import { noPayments, paymentTable } from './payment-table.ts';
import { paymentView } from './payment-view.ts';

const path = '/payments';
const limit = 50;

const listView: ConsoleView = {
  path,
  nav: 'Payments',
  live: ['payment', 'run', 'reset'],
  show: async (call) => {
    const query = Object.fromEntries(
      ['status', 'service', 'account', 'from', 'to'].map((name) => [name, call.query.get(name)] as const),
    );
    const { answer, problem } = await call.attempt('/payments', paymentList, {
      query: { ...query, offset: call.query.get('offset'), limit: String(limit) },
    });
    const { payments, total } = answer ?? { payments: [], total: 0 };
    const offset = offsetIn(call);
    return {
      title: 'Payments',
      content: html`${problem !== null && problemBox(problem)}
      ${filterForm(call, path, [
        {
          name: 'status',
          label: 'Status',
          options: [['', 'any'], ...listedStatuses.map((code) => [code, `${code}: ${statusWords(code)}`] as const)],
        },
        {
          name: 'service',
          label: 'Service',
          options: [['', 'any'], ...listedServices.map((service) => [service, service] as const)],
        },
        { name: 'account', label: 'Account' },
        { name: 'from', label: 'Executes from', type: 'date' },
        { name: 'to', label: 'Executes to', type: 'date' },
      ])}
      ${payments.length > 0 && paymentTable(call, payments, 'Payments of all TPPs, the newest first')}
      ${answer !== null && payments.length === 0 && noPayments(call, 'There is no such payment.')}
      ${answer !== null && pager(call, { path, query, offset, limit, total })}`,
    };
  },
};

export const paymentViews = [listView, paymentView];
