import { account } from './account.ts';
import { advance } from './advance.ts';
import { backup } from './backup.ts';
import { bank } from './bank.ts';
import { bundle, open } from './bundle.ts';
import { certificate } from './certificate.ts';
import { coverage } from './coverage.ts';
import type { Command } from '../cli/arguments.ts';
import { doctor } from './doctor.ts';
import { drift } from './drift.ts';
import { forecast } from './forecast.ts';
import { life } from './life.ts';
import { nextDates } from './next-dates.ts';
import { pay } from './pay.ts';
import { payment, payments } from './payments.ts';
import { demo, play } from './play.ts';
import { proxy } from './proxy.ts';
import { ready } from './ready.ts';
import { requests } from './requests.ts';
import { reset } from './reset.ts';
import { serve } from './serve.ts';
import { sign } from './sign.ts';
import { snapshot } from './snapshot.ts';
import { status } from './status.ts';

const all: readonly Command[] = [
  serve,
  ready,
  demo,
  play,
  pay,
  payments,
  payment,
  account,
  status,
  reset,
  advance,
  forecast,
  life,
  requests,
  coverage,
  snapshot,
  bundle,
  open,
  backup,
  bank,
  nextDates,
  sign,
  certificate,
  doctor,
  proxy,
  drift,
];

/** The commands of `sandbank` by name, in the order of `--help` and docs/commands.md. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map((command) => [command.name, command]));
