import type { Page } from 'playwright-core';
import { crossBorderPayment } from '../../lab/products.ts';
import { type BankClient, type Reply, type Sent, validCertificate } from '../../lab/server.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../../lab/bodies.ts';

/** Text of an outsider that means no good: markup, an attribute's end, a script's end. */
export const hostile = `"><script>hit=1</script><img src=x onerror=hit=1> '&amp;`;

const nora = '13039319955';
const sigrid = '17818050100';
const tor = '20818850094';
const corporateAccount = '34330000017';

/** One page of an SCA, and how a PSU gets there. */
export interface Scene {
  readonly name: string;
  /** In English. */
  readonly heading: string;
  readonly open: (page: Page, language: string) => Promise<void>;
}

/**
 * Every page of the SCA, on a bank whose clock stands at noon of 24 March 2027; outsiders have `written` texts. Texts
 * of buttons do not matter: they are found by what they send.
 */
export async function scenesOf(bank: BankClient, redirectUri: string, written: string = hostile): Promise<Scene[]> {
  let amount = 1_000;
  const certificate = validCertificate({ organization: written });
  const signed = (method: string, path: string, sent: Sent): Promise<Reply> =>
    bank.signed(method, path, { ...sent, certificate });
  const paid = (): object => ({ amount: `${(amount += 1)}.50`, currency: 'NOK' });
  const initiate = async (path: string, body: object, psu = nora, context = 'PRIVATE') => {
    const headers = { 'x-psu-identity': psu, 'psu-context': context, 'tpp-redirect-uri': redirectUri };
    const { body: made } = await signed('POST', path, { body, headers });
    if (made.paymentId === undefined) throw new Error(JSON.stringify(made));
    return { id: made.paymentId as string, href: made._links.scaRedirect.href as string };
  };
  const single = (more: object = {}) =>
    initiate(singlePath, singlePayment({ instructedAmount: paid(), creditorName: written, ...more }));
  const corporate = () =>
    initiate(
      singlePath,
      singlePayment({ instructedAmount: paid(), debtorAccount: { bban: corporateAccount, currency: 'NOK' } }),
      sigrid,
      'CORPORATE',
    );
  const again = async (path: string, id: string, method = 'POST'): Promise<string> => {
    const { body } = await signed(method, `${path}/${id}/authorisations`, {
      headers: { 'tpp-redirect-uri': redirectUri },
    });
    return body._links.scaRedirect.href as string;
  };
  const offered = async (path: string, method: string, headers: Record<string, string> = {}): Promise<string> => {
    const { body } = await signed(method, path, { headers: { 'tpp-redirect-uri': redirectUri, ...headers } });
    return body._links.scaRedirect.href as string;
  };
  const at = (href: string, language: string): string => {
    const url = new URL(href);
    url.searchParams.set('lang', language);
    return url.href;
  };
  const press = (page: Page, action: string) =>
    page.locator(`button[name="action"][value="${action}"]`).first().click();
  const identify = async (page: Page, number: string): Promise<void> => {
    await page.locator('#psu').fill(number);
    await press(page, 'identify');
  };
  const scene = (
    name: string,
    heading: string,
    begin: () => Promise<string>,
    ...steps: ((page: Page) => Promise<unknown>)[]
  ): Scene => ({
    name,
    heading,
    open: async (page, language) => {
      await page.goto(at(await begin(), language));
      for (const step of steps) await step(page);
    },
  });
  const href = async (begun: Promise<{ href: string }>): Promise<string> => (await begun).href;
  const asNora = (page: Page) => identify(page, nora);
  const consent = () => offered('/v1/bank-offered-consents', 'POST');
  const asCompany = async (page: Page): Promise<void> => {
    await identify(page, sigrid);
    await page.locator('input[type="radio"]').nth(1).check();
    await press(page, 'choose');
  };
  const signedOnce = async (): Promise<string> => {
    const { id, href: first } = await corporate();
    await bank.approve(first, sigrid, { context: 'CORPORATE' });
    return again(singlePath, id);
  };
  return [
    scene('identify', 'Who are you?', () => href(single())),
    scene(
      'identify, a wrong number',
      'Who are you?',
      () => href(single()),
      (page) => identify(page, '12345678901'),
    ),
    scene(
      'identify, with a method',
      'Who are you?',
      async () => `${await href(single())}?method=HA2&x=${encodeURIComponent(written)}`,
    ),
    scene('context', 'Who do you act for?', consent, (page) => identify(page, sigrid)),
    scene(
      'context that is not there',
      'Who do you act for?',
      () => offered('/v1/bank-offered-consents', 'POST'),
      async (page) => {
        await identify(page, sigrid);
        await page.evaluate(`document.querySelector('input[type="radio"]').value = 'CORPORATE 1'`);
        await page.locator('input[type="radio"]').first().check();
        await press(page, 'choose');
      },
    ),
    scene('consent', 'Which accounts do you share?', consent, asNora),
    scene('consent of a company', 'Which accounts do you share?', consent, asCompany),
    scene('consent to nothing', 'Share no account?', consent, asNora, async (page) => {
      for (const box of await page.locator('input[type="checkbox"]').all()) await box.uncheck();
      await press(page, 'approve');
    }),
    scene('identification', 'Do you want to identify yourself?', () => offered('/v1/users', 'GET'), asNora),
    scene(
      'payment',
      'Approve this payment?',
      () => href(single({ requestedExecutionDate: '2027-03-25', remittanceInformationUnstructured: written })),
      asNora,
    ),
    scene(
      'payment beyond the balance',
      'Approve this payment?',
      () => href(single({ instructedAmount: { amount: `9${(amount += 1)}00.00`, currency: 'NOK' } })),
      asNora,
    ),
    scene(
      'foreign payment',
      'Approve this payment?',
      () =>
        href(
          initiate(
            '/v1/payments/cross-border-credit-transfers',
            crossBorderPayment({
              instructedAmount: { amount: `${(amount += 1)}.10`, currency: 'SEK' },
              creditorName: written.slice(0, 35),
            }),
          ),
        ),
      asNora,
    ),
    scene(
      'periodic payment',
      'Approve this periodic payment?',
      () =>
        href(
          initiate(
            periodicPath,
            periodicPayment({ instructedAmount: paid(), creditorName: written, dayOfExecution: '31' }),
          ),
        ),
      asNora,
    ),
    scene(
      'bulk payment',
      'Approve this payment?',
      () =>
        href(
          initiate(
            bulkPath,
            bulkPayment(
              Array.from({ length: 12 }, (_, item) =>
                bulkItem(`${(amount += 1)}.0${item % 10}`, { creditorName: written }),
              ),
            ),
          ),
        ),
      asNora,
      (page) => page.locator('summary').click(),
    ),
    scene(
      'cancellation',
      'Cancel this payment?',
      async () => {
        const { id, href: first } = await single({ requestedExecutionDate: '2027-03-31' });
        await bank.approve(first);
        const { body } = await signed('DELETE', `${singlePath}/${id}`, {
          headers: { 'tpp-redirect-uri': redirectUri },
        });
        const { href: authorise } = body._links.startAuthorisation;
        return offered(authorise, 'POST');
      },
      asNora,
    ),
    scene(
      'first of two signatures',
      'Approve this payment?',
      () => href(corporate()),
      (page) => identify(page, sigrid),
    ),
    scene('last of two signatures', 'Approve this payment?', signedOnce, (page) => identify(page, tor)),
    scene(
      'rejection for all',
      'Reject this payment?',
      signedOnce,
      (page) => identify(page, tor),
      (page) => press(page, 'reject'),
    ),
    scene(
      'signing basket',
      'Approve these 2 payments?',
      async () => {
        const ids = [(await single()).id, (await single({ requestedExecutionDate: '2027-04-09' })).id];
        const headers = { 'x-psu-identity': nora, 'tpp-redirect-uri': redirectUri };
        const { body } = await signed('POST', '/v1/signing-baskets', { body: { paymentIds: ids }, headers });
        return offered(body._links.startAuthorisation.href, 'POST');
      },
      asNora,
    ),
    scene('nothing left to approve', 'This payment is signed already', async () => {
      const { id, href: first } = await single({ requestedExecutionDate: '2027-03-31' });
      await bank.approve(await again(singlePath, id));
      return first;
    }),
    scene(
      'unknown link',
      'There is nothing to approve here',
      async () => `${bank.address}/sca/${encodeURIComponent(hostile)}`,
    ),
    scene('ended link', 'This link was already used', async () => {
      const { href: ended } = await single();
      await bank.approve(ended);
      return ended;
    }),
    scene(
      // The switch of that page leads to the first one.
      'form without its token',
      'Who are you?',
      () => href(single()),
      async (page) => {
        await page.evaluate(`document.querySelector('input[name="token"]').value = 'x'`);
        await press(page, 'identify');
      },
    ),
  ];
}
