/** Methods of the interface (PSU identification and SCA, 4); two patterns hold the name of a bank or a provider. */
const named = /^(?:ENGANGSKODEAPP_BIOMETRI|HA2|[A-Z]{2,20}ID|[A-Z]{2,20}_MOBILE)$/;
const biometric = 'ENGANGSKODEAPP_BIOMETRI';

/**
 * The authentication method that the TPP prefers: that of X-PSU-AuthMethod-Preferred, else the biometric one if
 * TPP-Redirect-Preferred is false. Ignores unknown methods (rules.md A10).
 */
export function preferredMethod(headers: Readonly<Record<string, unknown>>): string | null {
  const method = knownMethod(headers['x-psu-authmethod-preferred']);
  return method ?? (headers['tpp-redirect-preferred'] === 'false' ? biometric : null);
}

/** The value if it is a known method, else null. */
export function knownMethod(value: unknown): string | null {
  return typeof value === 'string' && named.test(value) ? value : null;
}
