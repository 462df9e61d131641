import { measureOrders, type OrdersTask } from './measure-orders.ts';
import { measureSettlement, type SettlementTask } from './measure-settlement.ts';

/** What is measured in a process of its own, so that memory and compiled code of one never help or harm another. */
export type Task = SettlementTask | OrdersTask;

const [text = ''] = process.argv.slice(2);
const task = JSON.parse(text) as Task;
console.log(JSON.stringify(task.kind === 'settlement' ? await measureSettlement(task) : await measureOrders(task)));
