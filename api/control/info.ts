import { tellingNumbers } from '../../engine/values/numbers-with-a-meaning.ts';
import * as Type from 'typebox';
import packageJson from '../../package.json' with { type: 'json' };
import { jsonOf } from '../../engine/bank/rules/quirk.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import type { Config } from '../start/config.ts';
import { configuration, shownSettings } from '../start/setting-schemas.ts';
import { controlEndpoint, shownAddress } from './control-endpoint.ts';
import { readBeginning, readClock } from '../../engine/bank/read-clock.ts';
import { bban, iban } from '../bodies/account.ts';
import { ownNumbers } from '../interface/answer-parts.ts';
import { closed, flag, listOf, type Static, text, titled } from '../bodies/schema.ts';
import { clockMode, currency, customerNumber, maskedPan, roles } from '../bodies/values.ts';
import { story } from '../bodies/examples.ts';
import { answeredInstant, orNull } from './answers/forms.ts';
import { clock } from './answers/clock-and-runs.ts';
import { quirkName, wireId } from './answers/names.ts';

const addresses = titled('Addresses').closed({
  interface: listOf(text('an address', 'http://127.0.0.1:7263/v1'), 'for signed requests'),
  sca: text('the SCA pages', 'http://127.0.0.1:7263/sca'),
  control: text('the control plane', 'http://127.0.0.1:7263/sandbox'),
  unsigned: text('the unsigned door', 'http://127.0.0.1:7263/sandbox/as/{tpp}/v1'),
  health: text('whether the process is alive', 'http://127.0.0.1:7263/health'),
  ready: text('whether the bank is ready', 'http://127.0.0.1:7263/ready'),
});

const account = {
  bban: orNull(bban),
  iban: orNull(iban),
  name: text('the name of the account', 'Totalkonto'),
};

export const psu = titled('Psu', 'A person to sign as.', { examples: [{ engagements: [] }] }).closed({
  customerNumber,
  name: text('the name of the PSU', 'Test Testperson 3'),
  note: orNull(text('what the PSU is good for in tests')),
  accounts: listOf(closed({ ...account, currency }, { examples: [ownNumbers] }), 'the own accounts'),
  cards: listOf(
    closed({
      resourceId: text('its id', story.cardId),
      wireResourceId: wireId,
      maskedPan,
      name: text('its name', 'Kredittkort'),
      currency,
    }),
    'the own cards',
  ),
  engagements: listOf(
    closed({
      agreement: closed({
        id: text('its id', story.agreementId),
        name: text('its name', 'Corporation 1 AS'),
        owner: customerNumber,
      }),
      account: closed(account),
      roles,
    }),
    'what the PSU may do with accounts of others',
  ),
});

/** The answer of `GET /sandbox/info`. */
export const infoAnswer = titled('Info', 'What this bank is and has.').closed({
  name: text('the name of this program', 'sandbank'),
  version: text('its version', '0.1.0'),
  clock,
  configuration,
  ledger: titled('Beginning', 'What keeps the ledger, what the ledger began with, and a reset goes back to.').closed({
    sqlite: text('the version of SQLite that keeps it', '3.54.1'),
    now: answeredInstant('where its clock began'),
    mode: clockMode,
    fixtures: text('the name of its known state', 'known-state'),
  }),
  quirks: listOf(
    closed({
      name: quirkName,
      default: flag('whether it is on unless asked for'),
      on: flag('whether it is on here'),
      value: orNull(text('its value here, or null if it takes none or is off')),
      form: orNull(text('how its value is written, or null if it takes none', 'P60D|session')),
      usual: orNull(text('the value that the name alone means, or null if it takes none', 'P60D')),
      bounds: orNull(text('the bounds of its value, or null')),
      effect: text('what it changes', 'monthsOfExecution accepts 12 (rules.md R5).'),
      rule: text('the rule that it follows, in docs/spec/rules.md', 'S9'),
      register: listOf(Type.Integer(), 'lines of the register of what banks do in production'),
      banks: listOf(text('a bank that was seen to do so', 'Bien Sparebank')),
    }),
  ),
  addresses,
  psus: listOf(psu, 'the PSUs, a hundred at most'),
  creditorNumbers: listOf(
    closed({
      number: text('a BBAN or an IBAN outside this bank', '99110000002'),
      says: text('what a payment to it does', 'settles, and is returned on the next banking day'),
    }),
    'the creditor numbers with a meaning',
  ),
});

/** `GET /sandbox/info`: version, clock, settings, quirks, addresses and PSUs. */
export const getInfo = controlEndpoint('GET /info', {
  summary: 'Version, clock, settings, quirks, addresses and the PSUs to sign as',
  answer: infoAnswer,
  handle: async ({ bank, config, address, base }) => {
    // An existing ledger ignores the settings for a new one (C5).
    const { sqlite, at: now, mode, fixtures } = await readBeginning(bank);
    // The files of the quirks are loaded when somebody asks.
    const { allQuirks } = await import('../quirks/index.ts');
    return {
      name: packageJson.name,
      version: packageJson.version,
      clock: await readClock(bank),
      configuration: configurationOf(config),
      ledger: { sqlite, now, mode, fixtures },
      quirks: (await allQuirks()).map(({ name, value: form, effect, rule, register, banks }) => {
        const value = jsonOf(bank.quirks, name);
        return {
          name,
          default: false,
          on: value !== null,
          value: value === true ? null : value,
          form: form?.form ?? null,
          usual: form?.usual ?? null,
          bounds: form?.bounds || null,
          effect,
          rule,
          register,
          banks,
        };
      }),
      addresses: addressesOf(shownAddress({ config, address, base }), base),
      psus: await listPsus(bank),
      creditorNumbers: tellingNumbers.map(({ number, says }) => ({ number, says })),
    };
  },
});

/**
 * All settings but those of the clock: they apply to a new ledger only, and `clock` has the present values. The answer
 * only says whether the control token and the id seed are set.
 */
function configurationOf(config: Config): Static<typeof configuration> {
  const values = shownSettings.map(({ key, name, json }) => [name, json(config[key])]);
  return { ...(Object.fromEntries(values) as Static<typeof configuration>), profile: config.profile?.id ?? null };
}

/** Addresses of the bank; the probes are at the root of the process. */
function addressesOf(own: string, base: string): Static<typeof addresses> {
  const process = own.slice(0, own.length - base.length);
  return {
    interface: [`${own}/v1`, `${own}/api-sandbox/v1`],
    sca: `${own}/sca`,
    control: `${own}/sandbox`,
    unsigned: `${own}/sandbox/as/{tpp}/v1`,
    health: `${process}/health`,
    ready: `${process}/ready`,
  };
}
