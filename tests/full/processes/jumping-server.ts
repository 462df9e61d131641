import { readConfig } from '../../../api/start/config.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { orderSigned } from '../../lab/payments.ts';

/*
 * A process of its own, whose machine's wall clock jumps: all that asks for the date, packages too, is told another one from then
 * on, while timers and the monotonic clock go on. Sent flags, it starts a server, stopping the one before, and sends its
 * address and the id of a standing order; sent a number, it jumps by so many ms, and says so.
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

/** What a test sends. */
export type Order = { readonly start: readonly string[]; readonly heartbeat: number } | { readonly jump: number };
/** What it is told of a start. */
export interface Told {
  readonly address: string;
  readonly paymentId: string;
}

const plan = { startDate: localDate('2027-04-13'), endDate: localDate('2029-04-12'), frequency: 'Daily' } as const;
let stop = async (): Promise<void> => undefined;

async function start(flags: readonly string[], heartbeat: number): Promise<Told> {
  await stop();
  offset = 0;
  const server = await startServer(readConfig({}, flags), systemClock, { heartbeat });
  stop = () => server.stop();
  const { payment } = await orderSigned(server.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
  return { address: server.address, paymentId: payment.resource_id };
}

process.on('message', (sent: Order) => {
  if ('jump' in sent) {
    offset += sent.jump;
    process.send?.('jumped');
  } else void start(sent.start, sent.heartbeat).then((told) => process.send?.(told));
});
process.on('disconnect', () => process.exit());
