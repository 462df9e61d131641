import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { order, sign } from './payments.ts';

/*
 * A process of its own with a server whose machine's wall clock jumps: all that asks for the date, packages too, is told
 * another one from then on, while timers and the monotonic clock go on. Takes flags of the server; sends its address and the
 * id of a standing order; jumps by each number of ms that it is sent.
 */
let offset = 0;
const RealDate = Date;
class JumpingDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<typeof RealDate>) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}
globalThis.Date = JumpingDate as DateConstructor;

const server = await startServer(readConfig({}, process.argv.slice(2)));
const plan = { startDate: localDate('2027-04-13'), endDate: localDate('2029-04-12'), frequency: 'Daily' } as const;
const { payment } = await order(server.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
await sign(server.bank, payment.resource_id, 'nora');
process.on('message', (by: number) => {
  offset += by;
});
process.on('disconnect', () => process.exit());
process.send?.({ address: server.address, paymentId: payment.resource_id });
