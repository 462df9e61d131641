import { withinCalendar } from '../../../engine/time/rules/bank-clock.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { isOnAxis } from '../../settlement-line/axis.ts';
import { drawLine, pictureOf } from '../../settlement-line/draw.ts';
import { type Line, lineOf, stopText } from '../../settlement-line/model.ts';
import type { Window } from '../../settlement-line/window.ts';
import { momentText } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { pathTo } from '../../openapi/calls.ts';
import type { PageCall } from '../page-call.ts';

/** Parameters of `GET /sandbox/timeline` for a picture. */
export interface LineWindow extends Window {
  readonly limit?: string;
  readonly payment?: string;
}

/** The settlement line of a window (control-plane.md K19). Throws a Problem for a window that the call refuses. */
export async function settlementLine(call: PageCall, window: LineWindow): Promise<Line> {
  return lineOf(await call.ask('/timeline', { query: { ...window } }));
}

/** The days around today: from the banking day before it to the fifth after it, so that holidays push nothing out. */
export async function daysAround(call: PageCall, today: string): Promise<LineWindow> {
  const inDays = (count: number): string => withinCalendar(addDays(localDate(today), count));
  const { days } = await call.read('/calendar', { query: { from: inDays(-14), to: inDays(14) } });
  const banking = days.filter(({ type }) => type === 'banking').map(({ date }) => date);
  const before = banking.findLast((date) => date < today) ?? inDays(-3);
  const after = banking.filter((date) => date > today)[4] ?? inDays(10);
  return { from: before, to: after };
}

/**
 * The picture of a line, with a table of the same for readers of a screen. `form` is what the handle sends, where now
 * is on the line.
 */
export function lineFigure(call: PageCall, line: Line, window: LineWindow, form: Html | null): Html {
  const move = isOnAxis(line.axis, line.now) ? form : null;
  const href = (paymentId: string): string => call.to('/payments/:paymentId', { params: { paymentId } });
  const stops = line.stops.map((each) => [each.at.replace('.000', ''), momentText(each.at), stopText(each)]);
  const picture = (scheme: string): string => call.to(pathTo('/line.svg', { query: { ...window, scheme } }));
  return html`<figure
    class="settlement"
    id="settlement"
    ${move !== null && html`data-stops="${JSON.stringify(stops)}"`}
  >
    ${drawLine(line, { href, isNamed: true, isMovable: move !== null })}
    <div class="unseen">
      <table>
        <caption>
          Payments on the days of the bank
        </caption>
        <thead>
          <tr>
            <th scope="col">Amount</th>
            <th scope="col">Payee</th>
            <th scope="col">What becomes of it</th>
          </tr>
        </thead>
        <tbody>
          ${line.rows.map(
            ({ amount, name, apart, sentence }) =>
              html`<tr>
                <td>${amount}</td>
                <td>${name}${apart !== '' && html`, ${apart}`}</td>
                <td>${sentence}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <figcaption>
      ${move}
      <span
        >Save as picture: <a href="${picture('light')}" download="settlement-light.svg">light</a>,
        <a href="${picture('dark')}" download="settlement-dark.svg">dark</a></span
      >
    </figcaption>
  </figure>`;
}

/**
 * The picture of a window as a file, by the parameters of its page's link. Throws a Problem for a window that the call
 * refuses.
 */
export async function linePicture(call: PageCall): Promise<string> {
  const query = call.given('from', 'to', 'limit', 'payment');
  const answer = await call.ask('/timeline', { query });
  return pictureOf(lineOf(answer), call.query.get('scheme') === 'dark' ? 'dark' : 'light');
}
