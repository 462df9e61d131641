/** Those that the interface names (PSU identification and SCA, 4); two carry a bank's or a provider's name. */
const named = /^(?:ENGANGSKODEAPP_BIOMETRI|HA2|[A-Z]{2,20}ID|[A-Z]{2,20}_MOBILE)$/;
const biometric = 'ENGANGSKODEAPP_BIOMETRI';

/**
 * The authentication method whose page an SCA begins on: the one that X-PSU-AuthMethod-Preferred names, or the biometric
 * one where TPP-Redirect-Preferred is false. One that is not known is ignored (rules.md A10).
 */
export function preferredMethod(headers: Readonly<Record<string, unknown>>): string | null {
  const method = knownMethod(headers['x-psu-authmethod-preferred']);
  return method ?? (headers['tpp-redirect-preferred'] === 'false' ? biometric : null);
}

/** A method as it stands in the address of an SCA page; null for anything else. */
export function knownMethod(value: unknown): string | null {
  return typeof value === 'string' && named.test(value) ? value : null;
}
