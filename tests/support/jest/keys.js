import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, generatePrimeSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as real from '../../../api/signing/certificate/key-pair.ts?real';

/*
 * Stands for api/signing/certificate/key-pair.ts. The tests ask for some hundred RSA keys of 2,048 bits, and each takes 0.1 s of
 * looking for its two primes; for one of 4,096 bits that is 1 s. Here each two of a few primes make one key: no two keys of a process are
 * the same, and all are as good as others but for what shares a prime. The first primes are kept: two processes have the same keys.
 */

export const keyPairSync = (kind) => pools.get(kind)?.nextKey() ?? real.keyPairSync(kind);
/** That large keys are made beside requests is tested. */
export const keyPair = async (kind) => (kind === 2_048 ? keyPairSync(kind) : real.keyPair(kind));

const exponent = 65_537n;

/** Makes keys of a size, in bits, from these primes, and finds more when they are used up. */
class Pool {
  #bits;
  #primes;
  #given = 0;

  constructor(bits, primes) {
    this.#bits = bits;
    this.#primes = primes;
  }

  /** A key of two primes that no other key of this process has together. */
  nextKey() {
    const [larger, smaller] = pairAt(this.#given);
    this.#given += 1;
    while (this.#primes.length <= larger) this.#primes.push(this.#nextPrime());
    const privateKey = keyOf(this.#primes[larger], this.#primes[smaller]);
    return { publicKey: createPublicKey(privateKey), privateKey };
  }

  #nextPrime() {
    for (;;) {
      // Its first two bits are set, so that the product of two has twice the bits.
      const prime = generatePrimeSync(this.#bits / 2, { bigint: true });
      if (prime % exponent !== 1n && !this.#primes.includes(prime)) return prime;
    }
  }
}

/** Places of two primes: 1 and 0, 2 and 0, 2 and 1, 3 and 0, ... */
function pairAt(count) {
  let [larger, before] = [1, 0];
  while (count >= before + larger) {
    before += larger;
    larger += 1;
  }
  return [larger, count - before];
}

const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'primes.json'), 'utf8'));
const pools = new Map(
  [2_048, 3_072, 4_096].map((bits) => {
    const primes = kept[bits].map((prime) => BigInt(`0x${prime}`));
    return [bits, new Pool(bits, primes)];
  }),
);

function keyOf(p, q) {
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const members = Object.entries(numbers).map(([name, number]) => [name, base64urlOf(number)]);
  return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(members) }, format: 'jwk' });
}

/** By Euclid's extended algorithm. */
function inverse(number, modulus) {
  let [divisor, rest, factor, next] = [modulus, number % modulus, 0n, 1n];
  while (rest > 0n) {
    const quotient = divisor / rest;
    [divisor, rest] = [rest, divisor % rest];
    [factor, next] = [next, factor - quotient * next];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function base64urlOf(number) {
  const digits = number.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url');
}
