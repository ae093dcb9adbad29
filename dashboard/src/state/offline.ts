interface ScriptPolicy {
  /** To the browser no text, but what a text was found to be fit for. */
  createScriptURL(path: string): string;
}

declare global {
  interface Window {
    readonly trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
  }
}

/**
 * Has the page kept in this browser, so that it opens when the service is away. Browsers allow that to pages by TLS
 * and of this machine alone; elsewhere the page works as long as it is open.
 */
export function keepPage(): void {
  if (!('serviceWorker' in navigator)) return;
  const rules: ScriptPolicy = {
    createScriptURL(path) {
      if (new URL(path, location.href).origin !== location.origin) throw new TypeError('Of another origin');
      return path;
    },
  };
  const policy = window.trustedTypes?.createPolicy('hark', rules) ?? rules;
  navigator.serviceWorker.register(policy.createScriptURL('/offline.js')).catch(() => undefined);
}
