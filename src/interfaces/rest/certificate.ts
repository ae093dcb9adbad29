import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { type Config, ConfigError, ownUrl } from '../../config.ts';

type Certificate = Required<Pick<ServerOptions, 'cert' | 'key'>>;

/** What TLS is spoken with; undefined where it is not. Throws where the files are not what they have to be. */
export function readCertificate(config: Config): Certificate | undefined {
  const { SERVICE_TLS_CERT, SERVICE_TLS_KEY } = config;
  if (SERVICE_TLS_CERT === undefined || SERVICE_TLS_KEY === undefined) return undefined;
  const cert = read('SERVICE_TLS_CERT', SERVICE_TLS_CERT);
  const key = read('SERVICE_TLS_KEY', SERVICE_TLS_KEY);
  const problem = problemWith(cert, key);
  if (problem !== undefined) throw new ConfigError([problem]);
  return { cert, key };
}

/**
 * Where a program or a browser on this machine finds what listens there: under the name that the certificate is for,
 * where it is for none of loopback.
 */
export function localUrl(config: Config, port: number): string {
  const url = ownUrl(config, port);
  const file = config.SERVICE_TLS_CERT;
  const certificate = file === undefined ? undefined : attempt(() => new X509Certificate(readFileSync(file)));
  const { hostname } = new URL(url);
  if (!certificate || hostname !== '127.0.0.1' || certificate.checkIP(hostname)) return url;
  const name =
    certificate.checkHost('localhost') ?? /DNS:([^,\s*]+)(?:,|$)/.exec(certificate.subjectAltName ?? '')?.[1];
  return name === undefined ? url : url.replace(hostname, name);
}

function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new ConfigError([`${variable}: the file cannot be read${code}`]);
  }
}

function problemWith(cert: Buffer, key: Buffer): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (!certificate) return 'SERVICE_TLS_CERT: must be a file with a certificate in PEM';
  const privateKey = attempt(() => createPrivateKey(key));
  if (!privateKey) return 'SERVICE_TLS_KEY: must be a file with a private key in PEM, without a passphrase';
  return certificate.checkPrivateKey(privateKey)
    ? undefined
    : 'SERVICE_TLS_KEY: must be the key of the certificate in SERVICE_TLS_CERT';
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
