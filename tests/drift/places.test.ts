import { describe, expect, test } from '@jest/globals';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { rewrittenEntry } from '../../scripts/drift/places.ts';
import { entryOf } from './entry-of.ts';

describe('what may tell of a person', () => {
  /** The values of an entry that stand-ins would replace, each with its kind. */
  function visited(entry: HarEntry): string[] {
    const found: string[] = [];
    rewrittenEntry(entry, (kind, value) => {
      found.push(`${kind} ${value}`);
      return value;
    });
    return found;
  }

  test.each<[answer: object, ...visited: string[]]>([
    [{ note: 1234, more: -1234.56789 }],
    [{ note: 12345, more: -12345.6 }, 'id 12345', 'id 12345'],
    [{ amount: 7, creditLimit: '40000.00', balanceAmount: 1e9 }, 'amount 7', 'amount 40000.00', 'amount 1000000000'],
    [{ bookingDate: '2027-03-01', birthDate: '1990-01-31', bornAt: '31.01.1990' }, 'id 1990-01-31', 'id 31.01.1990'],
    [{ currency: 'NOK', status: 'a b', type: '12345' }, 'text a b', 'id 12345'],
    [{ bban: '1', iban: 'x', accountNumber: 'y' }, 'account 1', 'account x', 'account y'],
    [
      { maskedPan: '123456******1234', paymentId: 'a', id: 'b', identifier: 'c' },
      'masked 123456******1234',
      'id a',
      'id b',
      'id c',
    ],
    [{ city: 'Oslo', ownerName: 'Kari', ultimateCreditor: 'Ola' }, 'address Oslo', 'name Kari', 'name Ola'],
    [{ reference: '1', remittanceInformationUnstructured: 'x' }, 'text 1', 'text x'],
    [{ verbs: ['GET', 'get'], creditorAgent: 'DNBANOKK', bic: 'Kari' }, 'text get', 'text Kari'],
    [{ dayOfExecution: '31', exchangeRate: '11.83' }],
    [{ dayOfExecution: '131', exchangeRate: '1.2.3' }, 'id 131', 'id 1.2.3'],
    [{ isOpen: 'true', isKnown: 'True' }, 'text True'],
    [{ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', path: 'a.b', text: 'x' }] }, 'message x'],
    [{ code: 'Kari', path: 'a.b', text: 'x', psuMessage: 'y' }, 'text Kari', 'text a.b', 'text x', 'message y'],
    [{ '13039319955': true, a: true }, 'text 13039319955'],
    [{ href: '/v1/accounts/ab1?limit=5&dateFrom=2027-03-01&x=ab2' }, 'id ab1', 'id ab2'],
    [{ href: '/v1/payments/credit-transfers/ab1/status#ab2' }, 'id ab1', 'token ab2'],
    [{ href: 'https://kari@81.166.12.7:80/v1' }, 'ip 81.166.12.7', 'token kari'],
    [{ href: 'https://kari.example/' }, 'address kari.example'],
    [{ href: 'https://BANK.example/v1/accounts', more: '' }],
    [{ href: 'mailto:kari' }, 'text mailto:kari'],
  ])('in %j', (answer, ...wanted) => {
    expect(visited(entryOf(answer))).toEqual(wanted);
  });

  test.each([
    ['accept', 'application/json', []],
    ['accept', 'x1234567', ['token x1234567']],
    ['PSU-ID', 'a', ['id a']],
    ['x-request-id', 'a', ['id a']],
    ['x-forwarded-for', 'a', ['ip a']],
    ['psu-geo-location', 'a', ['address a']],
    ['referer', 'https://kari.example/', ['address kari.example']],
    ['authorization', 'a', ['token a']],
    ['authorization', '', []],
    ['x-12345', 'a', ['token x-12345', 'token a']],
  ])('in the header %s: %s', (name, value, wanted) => {
    expect(visited(entryOf({}, [{ name, value }]))).toEqual(wanted);
  });
});
