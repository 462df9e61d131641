import { describe, expect, test } from '@jest/globals';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { formatRate } from '../../engine/values/price-list.ts';
import { bodyFaults } from '../pipeline/faults-of.ts';

function faultsOf(name: 'exchange-rates' | 'fees', value: unknown): string[] {
  return bodyFaults(name, value).map(({ path }) => path ?? '');
}

describe('P11: the price list of foreign payments', () => {
  test('is read from fixtures: rates dated, exact, for two dozen currencies at least, NOK not among them', async () => {
    const { quotationDate, nokPerUnit, fees } = await loadPriceList();
    expect(quotationDate).toBe('2026-01-02');
    expect(nokPerUnit.size).toBeGreaterThan(24);
    expect([...nokPerUnit.keys()]).not.toContain('NOK');
    const euro = nokPerUnit.get('EUR');
    expect(euro === undefined ? '' : formatRate(euro)).toBe('11.8305');
    expect(fees).toEqual({ 'sepa-credit-transfers': 500n, 'cross-border-credit-transfers': 5000n });
  });

  const rates = { quotationDate: '2026-01-02', nokPerUnit: { EUR: '11.8305' } };

  test.each<[string, object, string[]]>([
    ['as it is', rates, []],
    ['a rate that is a number', { ...rates, nokPerUnit: { EUR: 11.8305 } }, ['nokPerUnit.EUR']],
    ['a rate of zero', { ...rates, nokPerUnit: { EUR: '0.00' } }, ['nokPerUnit.EUR']],
    ['a date that does not exist', { ...rates, quotationDate: '2026-02-30' }, ['quotationDate']],
    ['no rates', { ...rates, nokPerUnit: {} }, ['nokPerUnit']],
  ])('rates, %s', (_, value, paths) => {
    expect(faultsOf('exchange-rates', value)).toEqual(paths);
  });

  test.each(['eur', 'XXX', 'NOK'])('a rate for %s is refused', (code) => {
    expect(faultsOf('exchange-rates', { ...rates, nokPerUnit: { [code]: '1.0' } })).not.toEqual([]);
  });

  const fees = { currency: 'NOK', 'sepa-credit-transfers': '5.00', 'cross-border-credit-transfers': '0.00' };

  test.each<[string, object, string[]]>([
    ['as they are', fees, []],
    ['in another currency', { ...fees, currency: 'EUR' }, ['currency']],
    ['below zero', { ...fees, 'sepa-credit-transfers': '-5.00' }, ['sepa-credit-transfers']],
    ['as a number', { ...fees, 'sepa-credit-transfers': 5 }, ['sepa-credit-transfers']],
  ])('fees, %s', (_, value, paths) => {
    expect(faultsOf('fees', value)).toEqual(paths);
  });
});
