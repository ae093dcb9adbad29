const fromFiles = new Set<string>();

/** What was read from a file is not repeated to the screen either. */
export function keepSecret(secret: string): void {
  fromFiles.add(secret);
}

/** The keys that this process was given, so that none is ever repeated to the screen. */
function givenSecrets(): string[] {
  const given = process.argv.flatMap((argument, index) => {
    if (argument === '--api-key') return process.argv[index + 1] ?? [];
    return argument.startsWith('--api-key=') ? argument.slice('--api-key='.length) : [];
  });
  return [process.env.HARK_API_KEY, process.env.SERVICE_API_KEY, ...given, ...fromFiles].filter(
    (key) => key !== undefined,
  );
}

export function withoutSecrets(text: string): string {
  return givenSecrets().reduce((shown, secret) => (secret ? shown.replaceAll(secret, '***') : shown), text);
}
