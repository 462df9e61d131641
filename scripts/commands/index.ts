import type { Command } from '../cli/arguments.ts';

const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  ready: async () => (await import('./ready.ts')).ready,
  demo: async () => (await import('./play.ts')).demo,
  play: async () => (await import('./play.ts')).play,
  pay: async () => (await import('./pay.ts')).pay,
  payments: async () => (await import('./plain.ts')).payments,
  payment: async () => (await import('./payments.ts')).payment,
  accounts: async () => (await import('./plain.ts')).accounts,
  account: async () => (await import('./plain.ts')).account,
  status: async () => (await import('./plain.ts')).status,
  reset: async () => (await import('./plain.ts')).reset,
  advance: async () => (await import('./advance.ts')).advance,
  forecast: async () => (await import('./plain.ts')).forecast,
  when: async () => (await import('./plain.ts')).when,
  life: async () => (await import('./life.ts')).life,
  requests: async () => (await import('./requests.ts')).requests,
  snapshot: async () => (await import('./plain.ts')).snapshot,
  bundle: async () => (await import('./bundle.ts')).bundle,
  open: async () => (await import('./bundle.ts')).open,
  bank: async () => (await import('./bank.ts')).bank,
  'next-dates': async () => (await import('./plain.ts')).nextDates,
  sign: async () => (await import('./sign.ts')).sign,
  certificate: async () => (await import('./certificate.ts')).certificate,
  doctor: async () => (await import('./doctor.ts')).doctor,
  proxy: async () => (await import('./proxy.ts')).proxy,
  mcp: async () => (await import('./mcp.ts')).mcp,
  drift: async () => (await import('./drift.ts')).drift,
  gauntlet: async () => (await import('./gauntlet.ts')).gauntlet,
};

/**
 * Loads a command by its name, in the order of `--help` and docs/commands.md. The modules of other commands stay out of
 * memory.
 */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map(Object.entries(loaders));

/** All commands, in the same order. */
export const allCommands = (): Promise<readonly Command[]> => Promise.all([...commands.values()].map((load) => load()));
