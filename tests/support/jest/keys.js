import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, generatePrimeSync } from 'node:crypto';
import * as real from '../../../api/signing/certificate/key-pair.ts?real';

/*
 * Stands for api/signing/certificate/key-pair.ts. The tests ask for some hundred RSA keys of 2,048 bits, and each takes 0.1 s of
 * looking for its two primes. Here each two of a few primes make one key: no two keys of a process are the same, and all are as good as
 * others but for what shares a prime.
 */

export const keyPairSync = (kind) => (kind === 2_048 ? nextKey() : real.keyPairSync(kind));
export const keyPair = async (kind) => (kind === 2_048 ? nextKey() : real.keyPair(kind));

const exponent = 65_537n;
/** @type {bigint[]} */
const primes = [];
/** Place of the next key's smaller prime; the larger one is the last. */
let smaller = 0;

function nextPrime() {
  for (;;) {
    // Its first two bits are set, so that the product of two has twice the bits.
    const prime = generatePrimeSync(1_024, { bigint: true });
    if (prime % exponent !== 1n && !primes.includes(prime)) return prime;
  }
}

/** A key of two primes that no other key of this process has together. */
function nextKey() {
  if (primes.length === 0) primes.push(nextPrime());
  if (smaller >= primes.length - 1) {
    primes.push(nextPrime());
    smaller = 0;
  }
  const privateKey = keyOf(primes.at(-1), primes[smaller]);
  smaller += 1;
  return { publicKey: createPublicKey(privateKey), privateKey };
}

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
