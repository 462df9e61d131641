import { join } from 'node:path';
import { parseDuration } from '../../engine/values/duration.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { type Figure, given, withTarget, median } from './figure.ts';
import { bankWithOrders } from './measure-orders.ts';

const orders = 100;
/** The last four payments are not in the forecast: Maundy Thursday closes the end of the year. */
const attempts = 12 * orders - 4;
/** Time limit of a year's forecast, in ms. */
const target = 100;
const turns = 21;

/** Forecasts a year of a hundred monthly standing orders; the first, cold forecast has a target too. */
export async function forecastFigures(folder: string): Promise<Figure[]> {
  const bank = await bankWithOrders(join(folder, 'forecast.sqlite'), orders);
  const aYear = parseDuration('P1Y');
  if (aYear === null) throw new Error('P1Y is a duration');
  try {
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const start = performance.now();
      const { executions } = await forecast(bank, { by: aYear });
      times.push(performance.now() - start);
      if (executions.length !== attempts) throw new Error(`${executions.length} attempts foreseen`);
    }
    const [first = 0, ...others] = times;
    const most = Math.max(...times);
    return [
      given(`forecast of a year, ${orders} orders`, `${median(others).toFixed(1)} ms`),
      withTarget(
        'the slowest, the first one included',
        { figure: `${most.toFixed(1)} ms (first ${first.toFixed(1)})` },
        {
          by: most,
          atMost: target,
          unit: ' ms',
        },
      ),
    ];
  } finally {
    await bank.close();
  }
}
