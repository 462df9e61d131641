import { measureOrders, type OrdersTask } from './measure-orders.ts';
import { measureSettlement, type SettlementTask } from './measure-settlement.ts';

/** A measurement that runs in its own process, so that memory and compiled code of others do not affect it. */
export type Task = SettlementTask | OrdersTask;

const [text = ''] = process.argv.slice(2);
const task = JSON.parse(text) as Task;
console.log(JSON.stringify(task.kind === 'settlement' ? await measureSettlement(task) : await measureOrders(task)));
