import { Router, type Request } from 'express';
import type { Bank } from '../../engine/open-bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { revokeConsent, type ConsentView, giveAgain, readAccess } from '../../engine/consents/consents.ts';
import { accessDays } from '../../engine/parties/rules/access.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { formatsIn } from '../pages/format.ts';
import { html, type Html } from '../pages/html.ts';
import { languageOf, pageAddress } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import type { FormTokens } from '../pages/page-security.ts';
import { fieldsOf, readForm } from '../pipeline/read-body.ts';
import { fact, textsIn } from './sca-page.ts';
import { mainButton, scaForm, tokenField } from './sca-forms.ts';

/** Size limit of a form, in bytes. */
const formLimit = 2 * 1024;

interface AccessOptions {
  readonly bank: Bank;
  /** Null means that of the sandbox. */
  readonly bankName: string | null;
  readonly isOfConsole: (request: Request) => boolean;
  readonly formTokens: FormTokens;
}

/**
 * The page on which a PSU sees who has access, withdraws it and gives it again (rules.md A7e), to mount at
 * `/sca/access`.
 */
export function accessPages({ bank, bankName, isOfConsole, formTokens }: AccessOptions): Router {
  const router = Router();
  router.get('/:id', async (request: Request<{ id: string }>, response) => {
    const { id } = request.params;
    const shown = languageOf(request);
    const [{ psu, consents }, { date }] = [await readAccess(bank, id), await readClock(bank)];
    const texts = textsIn[shown.language].access;
    const format = formatsIn(shown.language);
    const [days, token] = [bank.quirks.get('consent-days') ?? accessDays, formTokens.of('access', id)];
    const content = html`<p class="lead">${texts.lead(psu.name)}</p>
      ${consents.length === 0 && html`<p>${texts.nobody}</p>`}
      ${consents.map((view) => section(view, { texts, format, days, token }))}`;
    const toConsole = isOfConsole(request) ? '../../console/consents' : null;
    response.type('html').send(page({ heading: texts.heading, content, today: date, shown, bankName, toConsole }));
  });
  router.post('/:id', readForm(formLimit), async (request: Request<{ id: string }>, response) => {
    const { id } = request.params;
    const fields = fieldsOf(request);
    if (!formTokens.isOf(fields.get(tokenField) ?? '', 'access', id))
      throw new Refusal({
        code: 'BAD_REQUEST',
        text: 'The form does not carry the token of this page. Load the page again.',
      });
    const { consents } = await readAccess(bank, id);
    const view = consents.find(({ consent }) => String(consent.id) === fields.get('consent'));
    if (view === undefined) throw new Refusal({ code: 'NOT_FOUND', text: 'This PSU has no such consent.' });
    if (fields.get('action') === 'again') await giveAgain(bank, view);
    else await revokeConsent(bank, String(view.consent.id));
    response
      .status(303)
      .set('location', pageAddress({}, languageOf(request)))
      .end();
  });
  return router;
}

interface AccessPage {
  readonly texts: (typeof textsIn)['en']['access'];
  readonly format: ReturnType<typeof formatsIn>;
  /** How many days a consent lasts after the last SCA. */
  readonly days: number;
  /** The token of its forms. */
  readonly token: string;
}

function section({ consent, accounts, cards }: ConsentView, { texts, format, days, token }: AccessPage): Html {
  const names = [
    ...accounts.map(({ name, bban, iban }) => `${name} ${bban ?? iban ?? ''}`),
    ...cards.map((card) => `${card.name} ${card.masked_pan}`),
  ];
  const lapses = addDays(osloDate(consent.last_sca_at), days);
  const isLive = consent.ended_at === null;
  return html`<section>
    <h2>${consent.tpp_name ?? consent.tpp_id}</h2>
    <dl>
      ${consent.tpp_name !== null && fact(texts.number, consent.tpp_id)} ${fact(texts.sees, names.join(', '))}
      ${consent.owner_type === 'corporate' && fact(texts.company, consent.agreement_name)}
      ${fact(texts.since, format.moment(consent.granted_at))}
      ${fact(texts.confirmed, format.moment(consent.last_sca_at))}
      ${fact(texts.used, consent.used_on === null ? texts.never : format.date(consent.used_on))}
      ${isLive ? fact(texts.lapses, format.date(lapses)) : fact(texts.ended, format.moment(consent.ended_at))}
    </dl>
    ${scaForm(
      { formToken: token },
      html`<input type="hidden" name="consent" value="${consent.id}" />`,
      isLive ? mainButton('withdraw', texts.withdraw) : mainButton('again', texts.again),
    )}
  </section>`;
}
