export function ownFolder(path: string): string;
export function temporaryFolder(name: string): string;
