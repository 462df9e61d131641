import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { scaPages } from '../../api/sca/sca-pages.ts';
import type { Bank } from '../../engine/bank.ts';
import type { PsuContext } from '../../engine/ledger/tables.ts';
import { beginSca } from '../../engine/operations/shared/begin-sca.ts';
import { customerByNumber } from '../../engine/ledger/customers.ts';
import { tpp } from '../support/payments.ts';

/** The SCA pages of a bank over HTTP, as a browser without JavaScript meets them. */
export interface Pages {
  readonly address: string;
  get(scaId: string): Promise<Response>;
  /** Submits a form; a list gives the field more than once. */
  submit(scaId: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Response>;
  close(): Promise<void>;
}

export async function openPages(bank: Bank): Promise<Pages> {
  const app = express().use('/sca', scaPages({ bank, log: pino({ level: 'silent' }) }));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sca`;
  return {
    address,
    get: (scaId) => fetch(`${address}/${scaId}`),
    submit: (scaId, fields) =>
      fetch(`${address}/${scaId}`, { method: 'POST', body: formOf(fields), redirect: 'manual' }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function formOf(fields: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form;
}

/** The parameters of a redirect to the TPP, with its status. */
export function redirectOf(response: Response): Record<string, string> {
  const location = new URL(response.headers.get('location') ?? 'missing:');
  return {
    at: `${response.status} ${location.origin}${location.pathname}`,
    ...Object.fromEntries(location.searchParams),
  };
}

/** The values of the boxes on a page, and which of them are ticked. */
export function boxesOf(text: string): { all: string[]; ticked: string[] } {
  const boxes = text.match(/<input[^>]*type="checkbox"[^>]*>/g) ?? [];
  const values = (inputs: string[]): string[] => inputs.map((input) => /value="([^"]*)"/.exec(input)?.[1] ?? '');
  return { all: values(boxes), ticked: values(boxes.filter((input) => / checked\b/.test(input))) };
}

/** What a person reads: no tags, single blanks. */
export function read(text: string): string {
  return text
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

export interface ConsentWanted {
  /** The number of the PSU whom the TPP named. */
  readonly psu?: string;
  readonly context?: PsuContext;
  readonly tppName?: string;
}

/** Opens an SCA for a consent and returns its id. */
export function wantConsent(bank: Bank, { psu, context, tppName }: ConsentWanted = {}): Promise<string> {
  return bank.ledger.write(async (tx) =>
    beginSca(bank, tx, {
      purpose: 'consent',
      payment: null,
      tpp: { id: tpp.id, name: tppName ?? tpp.name },
      returnTo: { redirectUri: 'https://tpp.example/back?state=7#top', sessionId: 'session-1' },
      customerId: psu === undefined ? null : ((await customerByNumber(tx, psu))?.id ?? null),
      context: context ?? null,
    }),
  );
}
