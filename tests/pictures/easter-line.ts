import { pictureOf } from '../../api/settlement-line/draw.ts';
import { lineOf } from '../../api/settlement-line/model.ts';
import { did, startTestBank } from '../lab/server.ts';

/** Accounts of the known state: one with funds, and one with 12.00. */
const [funded, poor] = ['09232911044', '34300000012'];

/** The first picture of the README: the settlement line of a bank over Easter 2027, an SVG that is the same each time. */
export async function easterLine(): Promise<string> {
  await using bank = await startTestBank('2027-03-22T12:00:00+01:00');
  const pay = async (creditorName: string, amount: string, more: object = {}): Promise<void> => {
    const order = { from: funded, to: '86011117947', creditorName, amount, ...more };
    await did(bank.control('POST', '/sandbox/payments', order));
  };
  await pay('Kaffebrenneriet', '349.00');
  await pay('Husleie Bakken', '9500.00', { from: poor });
  await bank.advance({ to: '2027-03-24T10:00:00+01:00' });
  await pay('Nordlys Strøm AS', '700.00', { from: poor });
  await bank.advance({ to: '2027-03-24T12:00:00+01:00' });
  await pay('Påskehytta AS', '2500.00', { on: '2027-03-25' });
  await pay('Trikken Sport', '1290.00', { on: '2027-03-31' });
  await pay('Mobil AS', '399.00', { on: '2027-03-26', every: 'Weekly' });
  await pay('Ikke signert', '15.00', { sign: false });
  const { body } = await did(bank.control('GET', '/sandbox/timeline?from=2027-03-22&to=2027-04-02'));
  return pictureOf(lineOf(body), 'auto', true);
}
